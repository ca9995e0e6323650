#include "catalog/flag_values.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"

namespace flexslice::catalog {

namespace {

using std::string_view;
using Problem = std::optional<ValueProblem>;

// Holds every integer of 64 bits.
using Number = long double;

struct Bounds {
  std::optional<Number> low, high;
};

// A decimal number without a sign, as far as there is one.
std::optional<Number> take_number(string_view& text) {
  Number value = 0, scale = 1;
  bool has_digits = false, has_point = false;
  while (!text.empty()) {
    const char c = text.front();
    if (ascii::is_digit(c)) {
      has_digits = true;
      value = value * 10 + (c - '0');
      if (has_point) scale *= 10;
    } else if (c == '.' && has_digits && !has_point) {
      has_point = true;
    } else {
      break;
    }
    text.remove_prefix(1);
  }
  if (!has_digits) return std::nullopt;
  return value / scale;
}

std::optional<Number> take_signed(string_view& text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  const auto number = take_number(text);
  return number && is_negative ? -*number : number;
}

// `LOW..HIGH` at the beginning, either of which may be missing.
Bounds take_bounds(string_view& type) {
  Bounds bounds;
  const std::size_t dots = type.find("..");
  if (dots == string_view::npos ||
      type.substr(0, dots).find_first_not_of("-+.0123456789") != string_view::npos)
    return bounds;
  string_view low = type.substr(0, dots), high = type.substr(dots + 2);
  bounds.low = take_signed(low);
  type = high;
  bounds.high = take_signed(type);
  return bounds;
}

Problem refused(string_view item, std::string why) {
  return ValueProblem{item, {}, std::move(why)};
}

Problem outside(string_view item, Number value, const Bounds& bounds, string_view unit = {}) {
  const auto text = [&](Number bound) {
    return fmt::format("{}{}", static_cast<long long>(bound), unit);
  };
  if (bounds.low && value < *bounds.low)
    return refused(item, "must be at least " + text(*bounds.low));
  if (bounds.high && value > *bounds.high)
    return refused(item, "must be at most " + text(*bounds.high));
  return std::nullopt;
}

// As Python reads it: blanks around it, a sign, and single underscores between the digits.
std::optional<Number> whole_value(string_view text) {
  text = text::trim(text);
  std::string digits;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_inside = i > 0 && i + 1 < text.size() && ascii::is_digit(text[i - 1]) &&
                           ascii::is_digit(text[i + 1]);
    if (text[i] == '_' && is_inside) continue;
    digits += text[i];
  }
  string_view rest = digits;
  const auto number = take_signed(rest);
  return rest.empty() && digits.find('.') == std::string::npos ? number : std::nullopt;
}

std::optional<Number> real(string_view text) {
  text = text::trim(text);
  std::string lower = text::lower(text);
  string_view rest = lower;
  if (rest.starts_with('-') || rest.starts_with('+')) rest.remove_prefix(1);
  if (rest == "nan" || rest == "inf" || rest == "infinity") return 0;
  string_view number = lower;
  const bool begins_with_point = rest.starts_with('.');
  std::string with_zero;
  if (begins_with_point) {
    with_zero = lower;
    with_zero.insert(lower.size() - rest.size(), "0");
    number = with_zero;
  }
  auto value = take_signed(number);
  if (!value) return value;
  if (number.starts_with('e')) {
    number.remove_prefix(1);
    const auto exponent = whole_value(number);
    if (!exponent) return std::nullopt;
    return *value * std::pow(Number{10}, *exponent);
  }
  return number.empty() ? value : std::nullopt;
}

Problem judge_duration(string_view type, string_view value) {
  constexpr Number minute = 60, hour = 3600, day = 86400, year = 31556926;
  const char unit = type.front();
  type.remove_prefix(1);
  const Bounds bounds = take_bounds(type);
  std::string text(value);
  if (whole_value(value)) text = std::string(text::trim(value)) + unit;
  std::string upper;
  for (const char c : text) upper += ascii::is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
  string_view rest = upper;
  const bool is_negative = text::take_one_of(rest, "-");
  if (!is_negative) text::take_one_of(rest, "+");
  bool is_time = !text::take_one_of(rest, "P"), has_separator = false;
  const Problem wrong = refused(value, "must be a duration, such as 30s, 10m or 1h30m");
  Number seconds = 0;
  while (!rest.empty()) {
    if (rest.front() == 'T') {
      if (std::exchange(has_separator, true)) return wrong;
      is_time = true;
      rest.remove_prefix(1);
      continue;
    }
    std::string digits;
    while (!rest.empty() &&
           (ascii::is_digit(rest.front()) || rest.front() == '.' || rest.front() == ',')) {
      digits += rest.front() == ',' ? '.' : rest.front();
      rest.remove_prefix(1);
    }
    const auto number = real(digits);
    if (!number) return wrong;
    if (rest.empty()) return upper.ends_with("P0") ? std::nullopt : wrong;
    const char c = rest.front();
    rest.remove_prefix(1);
    if ((c == 'M' || c == 'U' || c == 'N') && rest == "S") {
      seconds += *number / (c == 'M' ? 1e3 : c == 'U' ? 1e6 : 1e9);
      break;
    }
    if (c == 'M' && !is_time) {
      is_time = true;
      seconds += *number * year / 12;
      continue;
    }
    const Number scale = c == 'Y'   ? year
                         : c == 'W' ? 7 * day
                         : c == 'D' ? day
                         : c == 'H' ? hour
                         : c == 'M' ? minute
                         : c == 'S' ? 1
                                    : 0;
    if (scale == 0) return wrong;
    is_time = is_time || scale <= hour;
    seconds += *number * scale;
  }
  return outside(value, is_negative ? -seconds : seconds, bounds, "s");
}

bool is_fraction(Number number) { return number != std::floor(number); }

struct ReadSize {
  std::optional<Number> bytes;  // nothing: it is not well formed
  Bounds bounds;
};

ReadSize read_size(string_view type, string_view value) {
  const char unit = type.front();
  type.remove_prefix(1);
  ReadSize size{{}, take_bounds(type)};
  string_view rest = value;
  const auto number = take_number(rest);
  if (!number || value.starts_with('.')) return size;
  std::string suffix;
  for (const char c : rest) suffix += ascii::is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
  if (suffix.ends_with('B')) suffix.pop_back();
  if (rest.empty()) suffix = unit;
  constexpr string_view scales = "KMGTP";
  Number scale = 1;
  if (!suffix.empty()) {
    const std::size_t power = scales.find(suffix.front());
    if (power == string_view::npos || (suffix.size() > 1 && suffix.substr(1) != "I")) return size;
    scale = std::pow(Number{1024}, static_cast<Number>(power + 1));
  }
  // Only of units in capitals does gcloud take fractions.
  if (is_fraction(*number) && !rest.ends_with('B')) return size;
  size.bytes = *number * scale;
  return size;
}

constexpr Number giga = 1024.0 * 1024 * 1024;

Problem judge_size(string_view type, string_view value) {
  const ReadSize size = read_size(type, value);
  if (!size.bytes) return refused(value, "must be a size, such as 100GB");
  if (is_fraction(*size.bytes)) return refused(value, "must be a whole number of bytes");
  Bounds in_giga = size.bounds;
  if (in_giga.low) *in_giga.low /= giga;
  if (in_giga.high) *in_giga.high /= giga;
  return outside(value, *size.bytes / giga, in_giga, "GB");
}

// The letters in which words are equal, by the marks of the type.
std::string normal(string_view word, string_view marks) {
  const auto has = [&](char mark) { return marks.find(mark) != string_view::npos; };
  std::string text = has('u') || has('l') ? text::lower(word) : std::string(word);
  if (has('h') || has('s')) std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

// The text begins with brackets: this returns what they hold, and the rest after them.
string_view take_brackets(string_view& text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{' || text[i] == '(') ++depth;
    if ((text[i] == '}' || text[i] == ')') && --depth == 0) {
      const string_view inner = text.substr(1, i - 1);
      text.remove_prefix(i + 1);
      return inner;
    }
  }
  return {};
}

// At bars outside of brackets.
std::vector<string_view> bar_parts(string_view text) {
  std::vector<string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '{' || text[i] == '(')) ++depth;
    if (i < text.size() && (text[i] == '}' || text[i] == ')')) --depth;
    if (i < text.size() && (text[i] != '|' || depth > 0)) continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return parts;
}

Problem judge_words(string_view type, string_view value) {
  const std::size_t open = std::min(type.find('{'), type.size());
  const string_view marks = type.substr(0, open);
  string_view rest = type.substr(open);
  const auto words = bar_parts(take_brackets(rest));
  if (any_of(words, [&](string_view word) { return normal(word, marks) == normal(value, marks); }))
    return std::nullopt;
  return ValueProblem{value, words};
}

Problem judge_count(string_view value, std::size_t count, const Bounds& bounds) {
  const auto number = static_cast<Number>(count);
  if (bounds.low && number < *bounds.low)
    return refused(value, fmt::format("needs {} or more items", static_cast<int>(*bounds.low)));
  if (bounds.high && number > *bounds.high)
    return refused(value, fmt::format("takes {} items at most", static_cast<int>(*bounds.high)));
  return std::nullopt;
}

Problem judge_list(string_view type, string_view value) {
  const Bounds bounds = take_bounds(type);
  const string_view of = take_brackets(type);
  const auto items = list_items(value);
  if (!items) return refused(value, "the separator between `^` is empty");
  if (Problem problem = judge_count(value, items->size(), bounds)) return problem;
  for (const string_view item : *items) {
    if (Problem problem = value_problem(of, item)) return problem;
  }
  return std::nullopt;
}

Problem judge_mapping(string_view type, string_view value) {
  const bool key_only = text::take_one_of(type, "k");
  const Bounds bounds = take_bounds(type);
  const bool has_keys = type.starts_with('{');
  const string_view inner = take_brackets(type);
  const auto items = list_items(value);
  if (!items) return refused(value, "the separator between `^` is empty");
  if (Problem problem = judge_count(value, items->size(), bounds)) return problem;
  std::vector<string_view> keys, required, seen;
  const auto parts = has_keys ? bar_parts(inner) : std::vector<string_view>{};
  for (string_view part : parts) {
    const string_view key = part.substr(0, part.find_first_of("!:"));
    keys.push_back(key);
    if (part.substr(key.size()).starts_with('!')) required.push_back(key);
  }
  for (const string_view item : *items) {
    const std::size_t equals = item.find('=');
    const string_view key = item.substr(0, equals);
    if (key.empty()) return refused(item, "must be KEY=VALUE");
    const bool has_value = equals != string_view::npos;
    if (!has_value && !key_only) return refused(item, "must be KEY=VALUE");
    const string_view given = has_value ? item.substr(equals + 1) : "";
    seen.push_back(key);
    if (!has_keys) {
      const std::size_t middle = inner.find('=');
      if (Problem problem = value_problem(inner.substr(0, middle), key)) return problem;
      if (middle == string_view::npos || !has_value) continue;
      if (Problem problem = value_problem(inner.substr(middle + 1), given)) return problem;
      continue;
    }
    const auto row = std::ranges::find(keys, key);
    if (row == keys.end()) return ValueProblem{key, keys};
    string_view rest = parts[static_cast<std::size_t>(row - keys.begin())].substr(key.size());
    text::take_one_of(rest, "!");
    text::take_one_of(rest, ":");
    if (rest == "-" && !given.empty()) return refused(item, fmt::format("{} takes no value", key));
    if (rest.empty() || rest == "-") continue;
    if (Problem problem = value_problem(rest, given)) return problem;
  }
  for (const string_view key : required) {
    if (!contains(seen, key)) return refused(value, fmt::format("needs {}=", key));
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<string_view>> list_items(string_view value) {
  string_view separator = ",";
  const std::size_t end = value.starts_with('^') ? value.find('^', 1) : string_view::npos;
  if (end != string_view::npos) {
    separator = value.substr(1, end - 1);
    value.remove_prefix(end + 1);
    if (separator.empty()) return std::nullopt;
  }
  std::vector<string_view> items;
  while (!value.empty()) {
    const std::size_t at = value.find(separator);
    items.push_back(value.substr(0, at));
    value.remove_prefix(at == string_view::npos ? value.size() : at + separator.size());
  }
  return items;
}

std::optional<double> size_in_gigabytes(string_view type, string_view value) {
  if (!text::take_one_of(type, "z") || value_problem("z" + std::string(type), value))
    return std::nullopt;
  return static_cast<double>(*read_size(type, value).bytes / giga);
}

std::string plain_value(string_view type, string_view value) {
  text::take_one_of(type, "?");
  if (type.starts_with('i')) {
    const auto number = whole_value(value);
    constexpr Number most = 1e15L;
    if (number && std::abs(*number) < most)
      return fmt::format("{}", static_cast<long long>(*number));
  }
  if ((type.starts_with('l') || type.starts_with('m')) && value.starts_with('^')) {
    const auto items = list_items(value);
    const bool has_comma =
        items && any_of(*items, [](string_view item) { return item.find(',') != item.npos; });
    if (items && !has_comma) return text::join(*items, ",");
  }
  return std::string(value);
}

Problem value_problem(string_view type, string_view value) {
  text::take_one_of(type, "?");
  if (type.empty() || type == "." || type == "-") return std::nullopt;
  const char kind = type.front();
  type.remove_prefix(1);
  if (kind == 'n') return value.empty() ? refused(value, "must not be empty") : std::nullopt;
  if (kind == 'i' || kind == 'f') {
    if (text::take_one_of(type, "u") && value == "unlimited") return std::nullopt;
    const auto number = kind == 'i' ? whole_value(value) : real(value);
    if (!number) return refused(value, kind == 'i' ? "must be a whole number" : "must be a number");
    return outside(value, *number, take_bounds(type));
  }
  if (kind == 'd') return judge_duration(type, value);
  if (kind == 'z') return judge_size(type, value);
  if (kind == 'w') return judge_words(type, value);
  if (kind == 'l') return judge_list(type, value);
  if (kind == 'm') return judge_mapping(type, value);
  return std::nullopt;
}

}  // namespace flexslice::catalog
