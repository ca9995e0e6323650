#include "schema/pattern.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

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

// A set of numbers below 64 times `words`, such as places in a text, or characters.
template <std::size_t words>
class Numbers {
 public:
  bool any() const {
    return std::any_of(words_, words_ + words, [](std::uint64_t word) { return word != 0; });
  }
  bool has(std::size_t number) const { return (words_[number / 64] >> number % 64 & 1) != 0; }
  void add(std::size_t number) { words_[number / 64] |= std::uint64_t{1} << number % 64; }
  void add(std::size_t first, std::size_t last) {
    for (std::size_t i = first / 64; i <= last / 64; ++i) {
      const std::size_t from = std::max(first, i * 64) % 64, to = std::min(last, i * 64 + 63) % 64;
      words_[i] |= ~std::uint64_t{0} >> (63 - (to - from)) << from;
    }
  }
  void add(const Numbers& other) {
    for (std::size_t i = 0; i < words; ++i) words_[i] |= other.words_[i];
  }
  void remove(const Numbers& other) {
    for (std::size_t i = 0; i < words; ++i) words_[i] &= ~other.words_[i];
  }
  void for_each(auto visit) const {
    for (std::size_t i = 0; i < words; ++i) {
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1)
        visit(i * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
    }
  }

 private:
  std::uint64_t words_[words] = {};
};

// Reads an expression of patterns.def along a text: of each part, at which places it can end if it
// begins at some of these. Knows what those expressions consist of: characters, `\.`, `[…]`,
// groups, `|`, and `*`, `+`, `?` and `{a,b}` after them. A text has fewer characters than 64 times
// `words`.
template <std::size_t words>
class ExpressionReader {
 public:
  ExpressionReader(std::string_view expression, std::string_view text)
      : expression_(expression.substr(1, expression.size() - 2)), text_(text) {}

  bool run() {
    Places begin;
    begin.add(0);
    return alternatives(begin).has(text_.size());
  }

 private:
  using Places = Numbers<words>;
  using Characters = Numbers<4>;

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
      while (at_ < expression_.size() && !is_next('|') && !is_next(')')) {
        if (!places.any()) {
          skip();
          break;
        }
        places = repeated(places);
      }
      ends.add(places);
    } while (take('|'));
    return ends;
  }

  // The rest of an alternative that the text does not have.
  void skip() {
    for (int depth = 0; at_ < expression_.size(); ++at_) {
      const char c = expression_[at_];
      if (depth == 0 && (c == '|' || c == ')')) return;
      if (c == '(') ++depth;
      if (c == ')') --depth;
      if (c == '\\') ++at_;
      if (c == '[') at_ = expression_.find(']', at_);
    }
  }

  Places repeated(const Places& from) {
    if (is_next('(')) {
      const std::size_t begin = at_;
      return repeated(from, [&](const Places& places) {
        at_ = begin;
        return group(places);
      });
    }
    const Characters fitting = characters();
    const auto fits = [&](std::size_t place) {
      return place < text_.size() && fitting.has(static_cast<unsigned char>(text_[place]));
    };
    if (is_next('*') || is_next('+')) {
      Places ends = is_next('*') ? from : Places();
      ++at_;
      // The loop stops at a place that `ends` has, since it was followed from there before.
      from.for_each([&](std::size_t place) {
        for (; fits(place) && !ends.has(place + 1); ++place) ends.add(place + 1);
      });
      return ends;
    }
    const std::size_t end = at_;
    return repeated(from, [&](const Places& places) {
      at_ = end;
      Places ends;
      places.for_each([&](std::size_t place) {
        if (fits(place)) ends.add(place + 1);
      });
      return ends;
    });
  }
  // `once` gives the ends of one time, and leaves the expression behind the part.
  Places repeated(const Places& from, auto once) {
    Places last = once(from);
    const auto [least, limit] = bounds();
    const std::size_t end = at_;
    Places ends = least == 0 ? from : Places();
    for (int count = 1; last.any(); ++count) {
      if (limit == unlimited) last.remove(ends);
      if (count >= least) ends.add(last);
      if (count == limit) break;
      last = once(last);
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

  Places group(const Places& from) {
    ++at_;
    const Places ends = alternatives(from);
    ++at_;
    return ends;
  }

  // A character, or those in brackets.
  Characters characters() {
    Characters set;
    if (!take('[')) {
      take('\\');
      set.add(static_cast<unsigned char>(expression_[at_++]));
      return set;
    }
    const std::size_t end = expression_.find(']', at_);
    const bool negated = take('^');
    while (at_ < end) {
      char first = expression_[at_++];
      if (first == '\\') first = expression_[at_++] == 'n' ? '\n' : '\r';
      const bool is_range = at_ + 1 < end && expression_[at_] == '-';
      const char last = is_range ? expression_[at_ + 1] : first;
      if (is_range) at_ += 2;
      set.add(static_cast<unsigned char>(first), static_cast<unsigned char>(last));
    }
    ++at_;
    if (!negated) return set;
    Characters others;
    others.add(0, 255);
    others.remove(set);
    return others;
  }

  static constexpr int unlimited = 0;
  std::string_view expression_, text_;
  std::size_t at_ = 0;  // in the expression
};

// The expressions leave open how long the prefix of a key is.
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
  return matches_expression(expression, text);
}

bool matches_expression(std::string_view expression, std::string_view text) {
  constexpr std::size_t longest = 4096;
  if (text.size() > longest) return true;
  return text.size() < 64    ? ExpressionReader<1>(expression, text).run()
         : text.size() < 512 ? ExpressionReader<8>(expression, text).run()
                             : ExpressionReader<65>(expression, text).run();
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
