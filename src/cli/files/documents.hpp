// Reads the documents of a file one at a time, in bounded memory. batch.cpp calls it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/source.hpp"
#include "cli/files/files.hpp"

namespace flexslice::cli {

// A piece of a file.
struct Part {
  Source source;
  bool document = true;  // or blanks and comments that belong to none, or what is left of a
                         // document that is too large
};

class DocumentReader {
 public:
  // `-` is stdin. With `everything` the parts are the whole file, byte for byte; otherwise only
  // documents are returned. Throws Failure, as `next` does.
  explicit DocumentReader(const std::string& path, bool everything = false);

  // The next part. A document begins with its `---` line, if it has one; the first also with the
  // comments above that. Of a document that is too large only the beginning comes, enough for the
  // parser to say so. A file without any document gives one that is empty.
  std::optional<Part> next();

 private:
  enum class Step { document, other, more };

  Step scan();
  Step scan_idle();
  Step scan_content();
  Step scan_rest();
  Step cut_at_end();
  Step pass_over(std::size_t end, std::size_t next);
  bool fill();

  std::string name_;
  Descriptor file_;
  bool everything_;

  std::string buffer_;
  std::size_t begin_ = 0;  // of the part, in buffer_
  std::size_t start_ = 0;  // where what is read may become a document
  std::size_t at_ = 0;     // what is looked at next
  std::size_t cut_ = 0;    // where the part ends, once that is known
  std::size_t step_ = 0;   // how much to read at once
  int line_ = 1;           // of begin_
  enum class State { idle, content, rest } state_ = State::idle;
  bool marker_ = false;  // the part has a `---` line
  bool end_ = false;     // all is read
  bool done_ = false;
  bool any_ = false;  // there was a document
  std::uint64_t passed_over_ = 0;
};

}  // namespace flexslice::cli
