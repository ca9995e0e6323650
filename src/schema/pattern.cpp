#include "schema/pattern.hpp"

#include <algorithm>
#include <bitset>

#include "base/ascii.hpp"
#include "base/text.hpp"

namespace flexslice::schema {

namespace {

constexpr PatternRow rows[] = {
#define FS_PATTERN(name, pattern, max, words) {#name, pattern, max, words},
#include "schema/patterns.def"
#undef FS_PATTERN
};

constexpr std::string_view digits = "0123456789";

// Reads an expression of patterns.def along a text: of each part, at which places it can end if it
// begins at some of these. Knows what those expressions consist of: characters, `\.`, `[…]`,
// groups, `|`, and `*`, `+`, `?` and `{a,b}` after them.
template <std::size_t most>
class ExpressionReader {
 public:
  ExpressionReader(std::string_view expression, std::string_view text)
      : expression_(expression.substr(1, expression.size() - 2)), text_(text) {}

  bool run() { return alternatives(Places(1))[text_.size()]; }

 private:
  using Places = std::bitset<most + 1>;

  bool is_next(char c) const { return at_ < expression_.size() && expression_[at_] == c; }
  bool take(char c) {
    const bool is = is_next(c);
    if (is) ++at_;
    return is;
  }

  Places alternatives(const Places& from) {
    Places ends;
    do {
      Places places = from;
      while (at_ < expression_.size() && !is_next('|') && !is_next(')')) places = repeated(places);
      ends |= places;
    } while (take('|'));
    return ends;
  }

  Places repeated(const Places& from) {
    const std::size_t begin = at_;
    std::size_t first = 0;
    Places once = part(from, first);
    const auto [least, limit] = bounds();
    const std::size_t end = at_;
    Places ends = least == 0 ? from : Places();
    for (int count = 1; once.any(); ++count) {
      if (limit == unlimited) once &= ~ends;
      if (count >= least) ends |= once;
      if (count == limit) break;
      at_ = begin;
      once = part(once, first);
    }
    at_ = end;
    return ends;
  }

  std::pair<int, int> bounds() {
    if (take('*')) return {0, unlimited};
    if (take('+')) return {1, unlimited};
    if (take('?')) return {0, 1};
    if (!take('{')) return {1, 1};
    const int least = number();
    ++at_;
    const int limit = number();
    ++at_;
    return {least, limit};
  }
  int number() {
    int number = 0;
    while (ascii::is_digit(expression_[at_])) number = number * 10 + (expression_[at_++] - '0');
    return number;
  }

  // A group, characters in brackets, or a character. No place is before `first`, which becomes the
  // first of them: a part that is repeated is not looked for where it was before.
  Places part(const Places& from, std::size_t& first) {
    if (take('(')) {
      const Places ends = alternatives(from);
      ++at_;
      return ends;
    }
    std::size_t size = is_next('\\') ? 2 : 1;
    if (is_next('[')) size = expression_.find(']', at_) + 1 - at_;
    const std::string_view one = expression_.substr(at_, size);
    at_ += size;
    Places ends;
    if (from.none()) return ends;
    while (!from[first]) ++first;
    for (std::size_t i = first; i < text_.size(); ++i) {
      if (!from[i]) continue;
      ends[i + 1] = is_one(one, text_[i]);
      if ((from >> (i + 1)).none()) break;
    }
    return ends;
  }

  static bool is_one(std::string_view one, char c) {
    if (one.size() < 3) return c == one.back();
    std::string_view members = one.substr(1, one.size() - 2);
    const bool negated = text::take_one_of(members, "^");
    bool found = false;
    while (!members.empty()) {
      char first = members.front();
      if (first == '\\') {
        members.remove_prefix(1);
        first = members.front() == 'n' ? '\n' : '\r';
      }
      const bool is_range = members.size() > 2 && members[1] == '-';
      const char last = is_range ? members[2] : first;
      found = found || (c >= first && c <= last);
      members.remove_prefix(is_range ? 3 : 1);
    }
    return found != negated;
  }

  static constexpr int unlimited = 0;
  std::string_view expression_, text_;
  std::size_t at_ = 0;  // in the expression
};

// What the expressions leave open: how long the prefix of a key is.
constexpr std::size_t longest_prefix = 253;

}  // namespace

const PatternRow& row(Pattern pattern) { return rows[static_cast<std::size_t>(pattern)]; }

std::optional<Pattern> pattern_named(std::string_view name) {
  const auto* found = std::ranges::find(rows, name, &PatternRow::name);
  if (found == std::end(rows)) return std::nullopt;
  return static_cast<Pattern>(found - rows);
}

bool matches(Pattern pattern, std::string_view text) {
  const auto& [name, expression, max, words] = row(pattern);
  if (expression.empty()) return true;
  const bool has_prefix = pattern == Pattern::label_key || pattern == Pattern::resource_name;
  if (text.size() > max || (has_prefix && text.rfind('/') + 1 > longest_prefix + 1)) return false;
  return text.size() < 64    ? ExpressionReader<63>(expression, text).run()
         : text.size() < 512 ? ExpressionReader<511>(expression, text).run()
                             : ExpressionReader<4096>(expression, text).run();
}

std::optional<std::int64_t> duration_seconds(std::string_view text) {
  constexpr std::string_view units = "smhd";
  constexpr std::int64_t seconds[] = {1, 60, 3600, 86400};
  std::int64_t total = 0;
  int parts = 0;
  do {
    const std::size_t end = text.find_first_not_of(digits);
    const std::size_t unit = end == std::string_view::npos ? end : units.find(text[end]);
    if (unit == std::string_view::npos || end == 0 || end > 9 || ++parts > 4) return std::nullopt;
    total += *text::whole_number(text.substr(0, end)) * seconds[unit];
    text.remove_prefix(end + 1);
  } while (!text.empty());
  return total;
}

std::string duration_text(std::int64_t seconds) {
  constexpr std::pair<char, std::int64_t> units[] = {{'d', 86400}, {'h', 3600}, {'m', 60}};
  std::string text;
  for (const auto& [suffix, size] : units) {
    if (seconds >= size) text += std::to_string(seconds / size) + suffix;
    seconds %= size;
  }
  return seconds > 0 || text.empty() ? text + std::to_string(seconds) + 's' : text;
}

}  // namespace flexslice::schema
