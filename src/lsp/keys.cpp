#include "lsp/keys.hpp"

#include <algorithm>

#include "base/lines.hpp"
#include "base/text.hpp"
#include "yaml/extent.hpp"

namespace flexslice::lsp {

namespace {

using std::size_t;

constexpr size_t max_brackets = 64;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string unquoted(std::string_view text) {
  if (!text.empty() && yaml::is_quote(text.front())) {
    text.remove_prefix(1);
    if (!text.empty() && yaml::is_quote(text.back())) text.remove_suffix(1);
  }
  return std::string(text);
}

class Scanner {
 public:
  Scanner(std::string_view text, size_t offset) : text_(text), offset_(offset) {}

  Keys run() {
    while (at_ < text_.size()) read_line();
    if (!keys_.spot && !passed_ && offset_ >= text_.size())
      set_blank_spot(text::line_begin(text_, text_.size()));
    return std::move(keys_);
  }

 private:
  struct OpenKey {
    size_t column;
    std::string key;
    bool is_item;
  };

  yaml::Path path() const {
    yaml::Path path;
    for (const OpenKey& frame : frames_) path.push_back(frame.key);
    return path;
  }

  size_t skip_blanks(size_t at, size_t end) const {
    while (at < end && is_blank(text_[at])) ++at;
    return at;
  }
  size_t trim_end(size_t begin, size_t end) const {
    while (end > begin && is_blank(text_[end - 1])) --end;
    return end;
  }

  bool is_in(size_t begin, size_t end) const {
    return !keys_.spot && offset_ >= begin && offset_ <= end;
  }

  void set_spot(yaml::Path path, Spot::On part, size_t begin, size_t end, size_t column,
                bool in_brackets = false) {
    if (begin > offset_ || end < offset_) begin = end = offset_;
    keys_.spot = Spot{std::move(path), part, begin, end, column, in_brackets};
  }

  // The column of the cursor says whose key would be typed on an empty line.
  void set_blank_spot(size_t line) {
    const size_t column = offset_ - line;
    yaml::Path path;
    for (const OpenKey& frame : frames_) {
      if (frame.column < column) path.push_back(frame.key);
    }
    set_spot(std::move(path), Spot::On::collection, offset_, offset_, column);
  }

  void pop_from(size_t column, bool keeps_key) {
    while (!frames_.empty() && frames_.back().column >= column &&
           !(keeps_key && frames_.back().column == column && !frames_.back().is_item))
      frames_.pop_back();
  }

  void read_line() {
    const size_t begin = at_, end = text::line_end(text_, at_);
    at_ = text::next_line(text_, begin);
    size_t at = skip_blanks(begin, end);
    if (at == end) {
      if (is_in(begin, end)) set_blank_spot(begin);
      return;
    }
    if (text_[at] == '#' || text::is_marker(text_.substr(begin, end - begin))) {
      passed_ = passed_ || (offset_ >= at && offset_ <= end);
      if (text_[at] != '#') frames_.clear();
      return;
    }
    while (text_[at] == '-' && (at + 1 == end || is_blank(text_[at + 1]))) {
      pop_from(at - begin, true);
      frames_.push_back({at - begin, std::string(item), true});
      at = skip_blanks(at + 1, end);
      if (at == end) {
        if (is_in(begin, end))
          set_spot(path(), Spot::On::collection, offset_, offset_, offset_ - begin);
        return;
      }
    }
    read_content(begin, at, end);
  }

  // A key with its value, or a scalar.
  void read_content(size_t line, size_t at, size_t end) {
    const size_t column = at - line;
    if (text_[at] == '{' || text_[at] == '[') {
      pop_from(column, false);
      return read_brackets(at, column);
    }
    const size_t key_end = end_of_key(at, end);
    if (key_end == std::string_view::npos) return read_scalar(line, at, end);
    pop_from(column, false);
    frames_.push_back({column, unquoted(text_.substr(at, key_end - at)), false});
    const size_t colon = text_.find(':', key_end);
    if (is_in(at, colon)) set_spot(path(), Spot::On::key, at, key_end, column);
    read_value(at, key_end, colon + 1, end, column);
  }

  // Returns the end of the key at `at`, or npos where there is none.
  size_t end_of_key(size_t at, size_t end) const {
    if (yaml::is_quote(text_[at])) {
      const size_t quoted = yaml::quoted_end(text_.substr(0, end), at);
      if (quoted == std::string_view::npos) return quoted;
      const size_t colon = skip_blanks(quoted, end);
      return colon < end && text_[colon] == ':' ? quoted : std::string_view::npos;
    }
    for (size_t i = at; i < end; ++i) {
      if (text_[i] == ':' && (i + 1 == end || is_blank(text_[i + 1]))) return trim_end(at, i);
      if (text_[i] == '#' && is_blank(text_[i - 1])) break;
    }
    return std::string_view::npos;
  }

  size_t end_of_plain(size_t begin, size_t end) const {
    for (size_t i = begin; i < end; ++i) {
      if (text_[i] == '#' && i > 0 && is_blank(text_[i - 1])) return trim_end(begin, i);
    }
    return trim_end(begin, end);
  }

  void read_scalar(size_t line, size_t at, size_t end) {
    const size_t column = at - line, value_end = end_of_plain(at, end);
    if (frames_.empty() || !frames_.back().is_item || frames_.back().column >= column)
      pop_from(column, false);
    if (is_in(at, value_end)) set_spot(path(), Spot::On::collection, at, value_end, column);
    if (!frames_.empty() && frames_.back().is_item) add_entry(path(), at, at, at, value_end);
  }

  void read_value(size_t key, size_t key_end, size_t from, size_t end, size_t column) {
    const size_t at = skip_blanks(from, end);
    const char first = at < end ? text_[at] : '#';
    if (first == '{' || first == '[') {
      add_entry(path(), key, key_end, at, at);
      return read_brackets(at, column + 1);
    }
    size_t value_end = end_of_plain(at, end);
    if (yaml::is_quote(first)) {
      const size_t quoted = yaml::quoted_end(text_, at);
      value_end = quoted == std::string_view::npos ? trim_end(at, end) : quoted;
      at_ = std::max(at_, text::next_line(text_, value_end));
    }
    const bool is_block = first == '|' || first == '>';
    if (is_in(from, std::max(value_end, from)) && offset_ > key_end)
      set_spot(path(), Spot::On::value, at, value_end, column);
    add_entry(path(), key, key_end, at, is_block ? at : value_end);
    if (is_block) skip_block(column);
  }

  // Lines of a block of text.
  void skip_block(size_t column) {
    while (at_ < text_.size()) {
      const size_t end = text::line_end(text_, at_), first = skip_blanks(at_, end);
      if (first < end && first - at_ <= column) return;
      passed_ = passed_ || (first < end && offset_ >= at_ && offset_ <= end);
      keys_.entries.back().value_end = end;
      at_ = text::next_line(text_, at_);
    }
  }

  void add_entry(yaml::Path path, size_t key, size_t key_end, size_t value, size_t value_end) {
    keys_.entries.push_back({std::move(path), key, key_end, value, value_end,
                             unquoted(text_.substr(value, value_end - value))});
  }

  // A collection in brackets; lines that are indented by less than `column` are not in it, since
  // its end may be missing.
  void read_brackets(size_t at, size_t column) {
    const size_t entry = keys_.entries.size();
    cursor_ = at;
    least_column_ = frames_.empty() ? 0 : column;
    has_ended_ = false;
    yaml::Path path = this->path();
    read_collection(path, 1);
    if (entry > 0) keys_.entries[entry - 1].value_end = cursor_;
    at_ = text::next_line(text_, cursor_ > 0 ? cursor_ - 1 : 0);
    if (cursor_ >= text_.size()) at_ = text_.size();
  }

  // Behind space, line breaks and comments.
  void skip_space() {
    while (cursor_ < text_.size() && !has_ended_) {
      const char c = text_[cursor_];
      if (c == '\n') {
        const size_t next = cursor_ + 1, end = text::line_end(text_, std::min(next, text_.size()));
        const size_t first = skip_blanks(std::min(next, end), end);
        has_ended_ = first < end && first - next < least_column_ && text_[first] != '}' &&
                     text_[first] != ']';
        if (has_ended_) return;
      }
      if (c == '#') {
        cursor_ = text::line_end(text_, cursor_);
      } else if (c == '\n' || is_blank(c)) {
        ++cursor_;
      } else {
        return;
      }
    }
  }

  bool is_at_end() const { return has_ended_ || cursor_ >= text_.size(); }

  // Behind a scalar.
  void skip_word(bool is_key) {
    if (cursor_ < text_.size() && yaml::is_quote(text_[cursor_])) {
      const size_t quoted = yaml::quoted_end(text_, cursor_);
      cursor_ = quoted == std::string_view::npos ? text::line_end(text_, cursor_) : quoted;
      return;
    }
    const size_t begin = cursor_;
    while (cursor_ < text_.size()) {
      const char c = text_[cursor_];
      if (c == '\n' || c == ',' || c == '}' || c == ']' || c == '{' || c == '[') break;
      if (is_key && c == ':') break;
      ++cursor_;
    }
    cursor_ = trim_end(begin, cursor_);
  }

  void read_collection(yaml::Path& path, size_t depth) {
    const bool is_list = text_[cursor_++] == '[';
    if (depth > max_brackets) {
      has_ended_ = true;
      return;
    }
    if (is_list) path.emplace_back(item);
    while (true) {
      const size_t space = cursor_;
      skip_space();
      if (is_in(space, cursor_)) set_spot(path, Spot::On::collection, offset_, offset_, 0, true);
      if (is_at_end()) break;
      const char c = text_[cursor_];
      if (c == ',') {
        ++cursor_;
      } else if (c == '}' || c == ']') {
        ++cursor_;
        break;
      } else if (c == '{' || c == '[') {
        read_collection(path, depth + 1);
      } else if (is_list) {
        read_item(path);
      } else {
        read_member(path, depth);
      }
      if (has_ended_) break;
    }
    if (is_list) path.pop_back();
  }

  void read_item(const yaml::Path& path) {
    const size_t begin = cursor_;
    skip_word(false);
    if (is_in(begin, cursor_)) set_spot(path, Spot::On::collection, begin, cursor_, 0, true);
    add_entry(path, begin, begin, begin, cursor_);
    if (cursor_ == begin) ++cursor_;
  }

  void read_member(yaml::Path& path, size_t depth) {
    const size_t begin = cursor_;
    skip_word(true);
    const size_t key_end = cursor_;
    skip_space();
    if (is_at_end() || text_[cursor_] != ':') {
      if (is_in(begin, key_end)) set_spot(path, Spot::On::collection, begin, key_end, 0, true);
      return;
    }
    path.push_back(unquoted(text_.substr(begin, key_end - begin)));
    if (is_in(begin, cursor_)) set_spot(path, Spot::On::key, begin, key_end, 0, true);
    const size_t after = ++cursor_;
    skip_space();
    if (!is_at_end() && (text_[cursor_] == '{' || text_[cursor_] == '[')) {
      const size_t entry = keys_.entries.size();
      add_entry(path, begin, key_end, cursor_, cursor_);
      read_collection(path, depth + 1);
      keys_.entries[entry].value_end = cursor_;
    } else {
      const size_t value = std::min(cursor_, text_.size());
      if (!is_at_end()) skip_word(false);
      if (is_in(after, cursor_)) set_spot(path, Spot::On::value, value, cursor_, 0, true);
      add_entry(path, begin, key_end, value, std::max(value, cursor_));
    }
    path.pop_back();
  }

  std::string_view text_;
  size_t offset_;
  size_t at_ = 0;  // where the next line begins
  std::vector<OpenKey> frames_;
  Keys keys_;
  bool passed_ = false;  // the offset is in a comment or a block
  // A collection in brackets needs these:
  size_t cursor_ = 0, least_column_ = 0;
  bool has_ended_ = false;
};

}  // namespace

std::string_view Keys::value(std::string_view path) const {
  const auto found = std::ranges::find_if(
      entries, [&](const KeyEntry& entry) { return text::join(entry.path, ".") == path; });
  return found == entries.end() ? std::string_view() : found->value;
}

Keys find_keys(std::string_view text, std::size_t offset) { return Scanner(text, offset).run(); }

}  // namespace flexslice::lsp
