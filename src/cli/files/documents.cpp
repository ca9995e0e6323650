#include "cli/files/documents.hpp"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/lines.hpp"
#include "yaml/parse.hpp"

namespace flexslice::cli {

namespace {

// A document is read no further than this, so that what never ends does not keep us for ever.
constexpr std::uint64_t max_passed_over = 1u << 30;

}  // namespace

DocumentReader::DocumentReader(const std::string& path, bool everything)
    : name_(path == "-" ? "<stdin>" : path),
      file_(open_input(path)),
      everything_(everything),
      step_(block) {
  struct stat status {};
  if (::fstat(*file_, &status) == 0 && S_ISREG(status.st_mode))
    step_ = std::clamp<std::size_t>(static_cast<std::size_t>(status.st_size) + 1, 512, block);
}

std::optional<Part> DocumentReader::next() {
  while (!done_) {
    const Step step = scan();
    if (step == Step::more) {
      end_ = !fill();
      continue;
    }
    const std::string_view text = std::string_view(buffer_).substr(begin_, cut_ - begin_);
    const int line = line_;
    line_ += static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    begin_ = cut_;
    any_ = any_ || step == Step::document;
    if (step == Step::document || (everything_ && !text.empty()))
      return Part{{name_, std::string(text), line}, step == Step::document};
  }
  return std::nullopt;
}

// Whether there was more.
bool DocumentReader::fill() {
  buffer_.erase(0, begin_);
  at_ -= begin_;
  start_ -= begin_;
  begin_ = 0;
  return read_some(file_, buffer_, step_, name_);
}

DocumentReader::Step DocumentReader::scan() {
  switch (state_) {
    case State::idle:
      return scan_idle();
    case State::content:
      return scan_content();
    case State::rest:
      return scan_rest();
  }
  return Step::more;
}

DocumentReader::Step DocumentReader::cut_at_end() {
  done_ = true;
  cut_ = buffer_.size();
  return state_ == State::content || (state_ == State::idle && !any_) ? Step::document
                                                                      : Step::other;
}

// Line by line, until one has something in it. start_ is where the document begins, if this is
// going to be one.
DocumentReader::Step DocumentReader::scan_idle() {
  for (;;) {
    const std::size_t line_break = buffer_.find('\n', at_);
    const bool whole = line_break != std::string::npos;
    if (!whole && at_ == buffer_.size() && end_) return cut_at_end();
    if (!whole && !end_ && buffer_.size() - at_ <= yaml::max_document_bytes) return Step::more;
    const std::size_t end = whole ? line_break + 1 : buffer_.size();
    const std::string_view line = std::string_view(buffer_).substr(at_, end - at_);
    if (text::is_marker(line)) {
      // Comments above the first marker belong to the first document.
      if (marker_ || any_ || at_ - begin_ > block) start_ = at_;
      marker_ = true;
    }
    if (!text::is_idle(line) || line.size() > yaml::max_document_bytes) {
      if (start_ > begin_) return pass_over(start_, start_);
      state_ = State::content;
      at_ = end;
      return scan_content();
    }
    at_ = end;
    if (start_ > begin_ && at_ - begin_ > block) return pass_over(start_, at_);
    if (at_ - begin_ > yaml::max_document_bytes / 2) return pass_over(at_, at_);
  }
}

DocumentReader::Step DocumentReader::pass_over(std::size_t end, std::size_t next) {
  cut_ = start_ = end;
  at_ = next;
  return Step::other;
}

// To the next marker.
DocumentReader::Step DocumentReader::scan_content() {
  std::size_t from = at_ == 0 ? 0 : at_ - 1;
  for (;; ++from) {
    from = buffer_.find("\n---", from);
    if (from == std::string::npos) break;
    const bool known = from + 4 < buffer_.size() || end_;
    if (!known) break;
    if (!text::is_marker(std::string_view(buffer_).substr(from + 1, 4))) continue;
    at_ = cut_ = start_ = from + 1;
    state_ = State::idle;
    marker_ = false;
    return Step::document;
  }
  // What was looked at need not be again, but for a marker that is cut off.
  at_ = std::max(at_, buffer_.size() - std::min<std::size_t>(buffer_.size(), 4));
  if (buffer_.size() - begin_ > yaml::max_document_bytes) {
    at_ = buffer_.size() - 4;
    cut_ = at_ - 1;
    state_ = State::rest;
    passed_over_ = 0;
    return Step::document;
  }
  return end_ ? cut_at_end() : Step::more;
}

// What is too large, in pieces.
DocumentReader::Step DocumentReader::scan_rest() {
  const Step step = scan_content();
  if (step == Step::document) {
    passed_over_ += cut_ - begin_;
    return Step::other;
  }
  if (step == Step::more && buffer_.size() - begin_ > block) {
    at_ = buffer_.size() - 4;
    cut_ = at_ - 1;
    passed_over_ += cut_ - begin_;
    if (passed_over_ > max_passed_over)
      throw file_error(fmt::format("{}: more than 1 GiB, and no end of the document", name_));
    return Step::other;
  }
  return step;
}

}  // namespace flexslice::cli
