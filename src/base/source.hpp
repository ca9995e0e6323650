// Sources hold the texts that the user wrote, and spans are places in them. Every pass that can
// find a mistake points with a Span; only the renderers turn a Span into a line and a column.
#pragma once

#include <compare>
#include <cstddef>
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

  constexpr Span() = default;
  // No source has 4 GiB.
  constexpr Span(std::uint32_t index, std::size_t from, std::size_t to)
      : source(index),
        begin(static_cast<std::uint32_t>(from)),
        end(static_cast<std::uint32_t>(to)) {}

  friend auto operator<=>(const Span&, const Span&) = default;
};

// One document, one defaults file, or one `--set` on the command line.
struct Source {
  std::string name;  // as messages print it: a path, `<stdin>`, `--set`
  std::string text;  // the bytes as read
  // `text` starts at this line of its file, which is more than 1 for a later document of a stream.
  int first_line = 1;
};

// A path up to its last slash: `a/` of `a/b`, and nothing of `b`.
constexpr std::string_view folder_of(std::string_view path) {
  return path.substr(0, path.rfind('/') + 1);
}

// A place in a source, for people. Lines count from 1 in the file, columns from 1 in Unicode code
// points.
struct Position {
  int line = 1;
  int column = 1;

  friend bool operator==(const Position&, const Position&) = default;
};

// Finds the line and column of an offset. It reads the source up to there: for more than one
// question, use a LineIndex.
Position position(const Source& source, std::size_t offset);

// Lines and columns of one source, which it reads once. The source must outlive it.
class LineIndex {
 public:
  explicit LineIndex(const Source& source);
  Position position(std::size_t offset) const;

 private:
  struct Mark {
    std::size_t offset = 0;
    Position position;
  };

  // At `offset` or the first code point after it, or at the text's end.
  Mark advanced(Mark mark, std::size_t offset) const;

  std::string_view text_;
  std::vector<Mark> marks_;  // every few thousand bytes: a line can be as long as its file
};

class Sources {
 public:
  std::uint32_t add(Source source);
  const Source& operator[](std::uint32_t index) const { return sources_[index]; }
  std::size_t size() const { return sources_.size(); }

  // The bytes a span covers.
  std::string_view text(Span span) const;
  Position position(Span span) const {
    return flexslice::position(sources_[span.source], span.begin);
  }

 private:
  std::vector<Source> sources_;
};

}  // namespace flexslice
