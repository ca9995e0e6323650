#include "cli/files/documents.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/lines.hpp"
#include "yaml/parse.hpp"

namespace flexslice::cli {

namespace {

// The most that is skipped of a document, so that an endless one ends.
constexpr std::uint64_t max_skipped = 1u << 30;

}  // namespace

DocumentReader::DocumentReader(const std::string& path, bool everything)
    : name_(path == "-" ? "<stdin>" : path),
      file_(open_input(path)),
      everything_(everything),
      step_(step_of(file_)) {}

DocumentReader::DocumentReader(std::string name, std::string text)
    : name_(std::move(name)), buffer_(std::move(text)), end_(true) {}

std::optional<Part> DocumentReader::next() {
  for (;;) {
    bool document = false;
    std::size_t end = 0;
    if (inside_) {
      end = content_end(0, block);
      skipped_ += end;
      if (skipped_ > max_skipped)
        throw file_error(fmt::format("{}: a document of more than 1 GiB", name_));
    } else if ((end = idle_end()) == 0) {
      if (any_ && unread().empty()) return std::nullopt;
      end = content_end(content_, yaml::max_document_bytes);
      document = any_ = true;
      skipped_ = 0;
    }
    const std::string_view text = unread().substr(0, end);
    const int line = line_;
    line_ += text::line_breaks(text);
    begin_ += end;
    if (document || (everything_ && !text.empty()))
      return Part{{name_, std::string(text), line}, document};
  }
}

void DocumentReader::fill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  end_ = !read_some(file_, buffer_, step_, name_);
}

// With its line break; empty at the end of the file. One that is too long for a document is cut.
std::string_view DocumentReader::line_at(std::size_t at) {
  for (;;) {
    const std::string_view line = unread().substr(at);
    const std::size_t line_break = line.find('\n');
    if (line_break != std::string_view::npos) return line.substr(0, line_break + 1);
    if (end_ || line.size() > yaml::max_document_bytes) return line;
    fill();
  }
}

// Returns the end of the lines that belong to no document: 0 where one begins.
std::size_t DocumentReader::idle_end() {
  std::size_t start = 0, at = 0;
  bool marker = false;
  for (;;) {
    const std::string_view line = line_at(at);
    if (text::is_marker(line)) {
      // Comments above the first marker belong to the first document.
      if (marker || any_ || at > block) start = at;
      marker = true;
    }
    content_ = std::max<std::size_t>(at + line.size(), 1) - 1;
    if (line.empty()) return any_ ? at : start;
    if (!text::is_idle(line) || line.size() > yaml::max_document_bytes) return start;
    at += line.size();
    if (start > 0 && at > block) return start;
    if (at > yaml::max_document_bytes / 2) return at;
  }
}

// Returns the place of the next marker, the end of the file, or a place after `limit` bytes.
std::size_t DocumentReader::content_end(std::size_t from, std::size_t limit) {
  for (;;) {
    const std::string_view text = unread();
    from = text.find("\n---", from);
    inside_ = false;
    if (from != std::string_view::npos && (from + 4 < text.size() || end_)) {
      ++from;
      if (text::is_marker(text.substr(from, 4))) return from;
      continue;
    }
    if (end_) return text.size();
    // These bytes need no second search, except for a marker that is cut off.
    from = text.size() - std::min<std::size_t>(text.size(), 4);
    inside_ = text.size() > limit;
    if (inside_) return from;
    fill();
  }
}

}  // namespace flexslice::cli
