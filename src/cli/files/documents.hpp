// Reads the documents of a file one at a time, in bounded memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/source.hpp"
#include "cli/files/files.hpp"

namespace flexslice::cli {

// A piece of a file.
struct Part {
  Source source;
  bool document = true;  // or blank lines and comments that belong to none, or the rest of a
                         // document that is too large
};

class DocumentReader {
 public:
  // `-` is stdin. With `everything` the parts are the whole file, byte for byte; otherwise only
  // documents are returned. Throws Failure, as `next` does.
  explicit DocumentReader(const std::string& path, bool everything = false);
  // Reads a text that the caller has, and calls it by the name.
  DocumentReader(std::string name, std::string text);

  // The next part. A document begins with its `---` line, if it has one; the first also with the
  // comments above that. Of a document that is too large only the beginning is a document, enough
  // for the parser to report it. A file without any document gives one that is empty.
  std::optional<Part> next();

 private:
  // The caller has not got this text yet. Offsets below count from its beginning.
  std::string_view unread() const { return std::string_view(buffer_).substr(begin_); }
  void fill();
  std::string_view line_at(std::size_t at);
  std::size_t idle_end();
  std::size_t content_end(std::size_t from, std::size_t limit);

  std::string name_;
  Descriptor file_;
  bool everything_ = false;
  std::size_t step_ = block;  // how much to read at once

  std::string buffer_;
  std::size_t begin_ = 0;    // of what is unread, in buffer_
  std::size_t content_ = 0;  // after idle_end: where the search for the next marker begins
  int line_ = 1;             // of begin_
  bool end_ = false;         // the whole file is in the buffer
  bool any_ = false;         // there was a document
  bool inside_ = false;      // of a document that is too large
  std::uint64_t skipped_ = 0;
};

}  // namespace flexslice::cli
