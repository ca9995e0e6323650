// What the user wrote: the texts, and places in them. Every pass that can find a mistake points with a Span;
// only the renderers turn a Span into a line and a column.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace flexslice {

// A half-open range of bytes in one source. `source` is the index that Sources::add returned.
struct Span {
  std::uint32_t source = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

// One document, one defaults file, or one `--set` on the command line.
struct Source {
  std::string name;    // as messages print it: a path, `<stdin>`, `--set`
  std::string text;    // the bytes as read
  int first_line = 1;  // where `text` starts in its file; more than 1 for a later document of a stream
};

// Where a span begins, for people. Lines count from 1 in the file, columns from 1 in Unicode code points.
struct Position {
  int line = 1;
  int column = 1;
  std::string_view line_text;      // the whole line, without its line break
  std::size_t offset_in_line = 0;  // bytes before the span in line_text
};

class Sources {
 public:
  std::uint32_t add(Source source);
  const Source& operator[](std::uint32_t index) const { return sources_[index]; }
  std::size_t size() const { return sources_.size(); }

  // The bytes a span covers.
  std::string_view text(Span span) const;
  Position position(Span span) const;
  // The position just behind the span's last byte (line and column only).
  Position end_position(Span span) const;

 private:
  std::vector<Source> sources_;
};

}  // namespace flexslice
