#include "extract/parameters.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/arithmetic.hpp"
#include "extract/shell_words.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

constexpr int deepest_fallback = 4;     // fallbacks in fallbacks
constexpr size_t longest_edited = 256;  // patterns are tried at each place
constexpr size_t longest_delimiter = 64;
constexpr size_t farthest = size_t{1} << 16;  // a better delimiter: keeps time linear

// A call sets `1`, `@`, `*` and `#`.
size_t argument_length(std::string_view text) {
  if (text.empty()) return 0;
  if (contains(std::string_view("@*#"), text[0])) return 1;
  return std::min(text.find_first_not_of("0123456789"), text.size());
}

Parameter braced(std::string_view text, size_t at) {
  size_t end = at + 2;
  for (int depth = 1; end < text.size() && text[end] != '\n'; ++end) {
    if (text[end] == '{') ++depth;
    if (text[end] == '}' && --depth == 0) break;
  }
  if (end == text.size() || text[end] != '}') return {.length = end - at};
  Parameter result{.length = end + 1 - at};
  const std::string_view inner = text.substr(at + 2, end - at - 2);
  std::string_view name = variable_name(inner);
  if (const size_t length = argument_length(inner);
      name.empty() && length > 0 && (inner[0] != '#' || inner.size() == 1))
    name = inner.substr(0, length);
  std::string_view change = inner.substr(name.size());
  if (const size_t close = change.starts_with('[') ? change.find(']') : change.npos;
      close != change.npos) {
    result.subscript = change.substr(1, close - 1);
    change.remove_prefix(close + 1);
  }
  if (change.empty()) {
    result.name = name;
    return result;
  }
  if (name == "@" && change.size() == 2 && change[0] == ':' && ascii::is_digit(change[1])) {
    result.name = name;
    result.from = static_cast<size_t>(change[1] - '0');
    return result;
  }
  if (inner.starts_with('#') && name.empty()) {
    const std::string_view measured = variable_name(inner.substr(1));
    const std::string_view rest = inner.substr(1 + measured.size());
    if (!measured.empty() && (rest.empty() || rest == "[@]" || rest == "[*]")) {
      result.edited = measured;
      result.edit = rest.empty() ? "#" : "#@";
    }
    return result;
  }
  if (result.subscript.empty() && contains(std::string_view("%#/^,:"), change[0]) &&
      (change[0] != ':' || change.size() == 1 || !contains(std::string_view("-=?+"), change[1]))) {
    result.edited = name;
    result.edit = change;
    return result;
  }
  result.for_empty = change.starts_with(':');
  if (result.for_empty) change.remove_prefix(1);
  if (change.empty() || !contains(std::string_view("-=?"), change[0])) return result;
  result.name = name;
  result.change = change[0];
  result.fallback = change.substr(1);
  return result;
}

std::optional<Expansion> expand_nested(const Parameter& parameter, const Variables& variables,
                                       size_t longest, int depth);

// The index is that of the `)` for the `(` at `at`.
size_t end_of_parentheses(std::string_view text, size_t at) {
  for (int depth = 0; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return at;
  }
  return text.npos;
}

// An empty fallback keeps `set -u` quiet and is hardly ever the value that is meant.
std::optional<std::string> literal_fallback(std::string_view fallback, const Variables& variables,
                                            size_t longest, int depth) {
  if (fallback.size() > 1 && fallback.front() == '"' && fallback.back() == '"')
    fallback = fallback.substr(1, fallback.size() - 2);
  if (fallback.empty() || fallback.find_first_of("\"'\\`") != fallback.npos) return {};
  std::string result;
  for (size_t at = 0; at < fallback.size();) {
    const size_t dollar = std::min(fallback.find('$', at), fallback.size());
    result += fallback.substr(at, dollar - at);
    at = dollar;
    if (at == fallback.size()) break;
    const Parameter inner = parameter_at(fallback, at);
    const auto value = expand_nested(inner, variables, longest, depth + 1);
    if (!value) return {};
    result += value->text;
    at += inner.length;
    if (result.size() > longest) return {};
  }
  if (has_placeholder(result)) return {};
  return result;
}

// All of an array is its items with a space between them.
std::optional<std::string> value_of(const Variable& variable, std::string_view subscript) {
  if (subscript.empty() || (!variable.is_array && subscript == "0")) {
    if (variable.is_array && (variable.items.empty() || variable.items[0].unknown)) return {};
    return variable.value;
  }
  if (!variable.is_array) return {};
  if (subscript == "@" || subscript == "*") {
    std::string all;
    for (const Word& item : variable.items) {
      if (item.unknown) return {};
      if (!all.empty()) all += ' ';
      all += item.text;
    }
    return all;
  }
  const auto index = text::whole_number(subscript);
  if (!index || *index < 0 || static_cast<size_t>(*index) >= variable.items.size()) return {};
  const Word& item = variable.items[static_cast<size_t>(*index)];
  return item.unknown ? std::nullopt : std::optional(item.text);
}

// Patterns with anything else than `*` and `?` are left open.
bool is_simple_edit(std::string_view text) {
  return text.find_first_of("$`\"'\\[]()~") == text.npos;
}

// Says that the pattern is all of the text.
bool fits_pattern(std::string_view pattern, std::string_view text) {
  size_t star = pattern.npos, mark = 0, p = 0, t = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || (pattern[p] == text[t] && pattern[p] != '*'))) {
      ++p, ++t;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
    } else if (star != pattern.npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

// `%`, `#`: the shortest end or beginning that fits goes; doubled, the longest.
std::string without_affix(std::string_view value, std::string_view edit) {
  const bool is_end = edit[0] == '%', is_longest = edit.size() > 1 && edit[1] == edit[0];
  const std::string_view pattern = edit.substr(is_longest ? 2 : 1);
  for (size_t i = 0; i <= value.size(); ++i) {
    const size_t length = is_longest ? value.size() - i : i;
    const std::string_view part =
        is_end ? value.substr(value.size() - length) : value.substr(0, length);
    if (fits_pattern(pattern, part))
      return std::string(is_end ? value.substr(0, value.size() - length) : value.substr(length));
  }
  return std::string(value);
}

std::optional<std::string> with_replacements(std::string_view value, std::string_view edit) {
  const bool is_each = edit.starts_with("//");
  edit.remove_prefix(is_each ? 2 : 1);
  const size_t slash = std::min(edit.find('/'), edit.size());
  const std::string_view pattern = edit.substr(0, slash);
  const std::string_view with = slash < edit.size() ? edit.substr(slash + 1) : std::string_view();
  if (pattern.empty() || contains(std::string_view("#%"), pattern[0])) return {};
  std::string result;
  bool is_done = false;
  for (size_t at = 0; at < value.size();) {
    size_t length = is_done ? 0 : value.size() - at;
    while (length > 0 && !fits_pattern(pattern, value.substr(at, length))) --length;
    if (length == 0) {
      result += value[at++];
      continue;
    }
    result += with;
    at += length;
    is_done = !is_each;
  }
  return result;
}

std::optional<std::string> substring_of(std::string_view value, std::string_view edit) {
  const size_t colon = std::min(edit.find(':', 1), edit.size());
  const auto number = [](std::string_view text) {
    Variables unset;
    return calculate(text::trim(text), unset, {}, true);
  };
  auto first = number(edit.substr(1, colon - 1));
  std::optional<std::int64_t> length = std::ssize(value);
  if (colon < edit.size()) length = number(edit.substr(colon + 1));
  if (!first || !length) return {};
  const std::int64_t size = std::ssize(value);
  if (*first < 0) *first += size;
  if (*first < 0 || *first > size) return {};
  const std::int64_t end = *length < 0 ? size + *length : std::min(size, *first + *length);
  if (end < *first) return {};
  return std::string(value.substr(static_cast<size_t>(*first), static_cast<size_t>(end - *first)));
}

std::optional<std::string> edited_value(const Variable& variable, std::string_view edit) {
  if (edit == "#@") {
    return variable.is_array ? std::optional(std::to_string(variable.items.size())) : std::nullopt;
  }
  const std::string_view value = variable.value;
  if (variable.is_array || variable.is_map || value.size() > longest_edited) return {};
  if (edit == "#") return std::to_string(value.size());
  if (!is_simple_edit(edit)) return {};
  switch (edit[0]) {
    case '%':
    case '#':
      return without_affix(value, edit);
    case '/':
      return with_replacements(value, edit);
    case ':':
      return substring_of(value, edit);
    default:
      break;
  }
  if (edit != "^^" && edit != ",,") return {};
  std::string result(value);
  for (char& c : result) {
    if (edit == "^^" && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (edit == ",," && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::optional<Expansion> expand_edited(const Parameter& parameter, const Variables& variables,
                                       size_t longest) {
  const auto [state, variable] = variables.look_up(parameter.edited);
  if (state != Variables::VariableState::known) return {};
  std::string edit(parameter.edit);
  if (contains(edit, '$')) {
    auto filled = literal_fallback(edit, variables, longest, 1);
    if (!filled) return {};
    edit = std::move(*filled);
  }
  auto value = edited_value(*variable, edit);
  if (const auto items = variables.items_of(parameter.edited); items && parameter.edit == "#@")
    value = std::to_string(items->size());
  if (!value || value->size() > longest) return {};
  return Expansion{std::move(*value), variable->where};
}

// A key that nothing sets is left open.
std::optional<Expansion> item_of_map(const Parameter& parameter, const Variables& variables,
                                     size_t longest, int depth) {
  std::string_view subscript = parameter.subscript;
  if (subscript.size() > 1 && subscript.front() == '\'' && subscript.back() == '\'')
    subscript = subscript.substr(1, subscript.size() - 2);
  const auto key = literal_fallback(subscript, variables, longest, depth);
  if (!key || *key == "@" || *key == "*") return {};
  const auto [state, item] = variables.look_up(item_name(parameter.name, *key));
  using VariableState = Variables::VariableState;
  if (state == VariableState::known && item->value.size() <= longest &&
      (!item->value.empty() || !parameter.for_empty))
    return Expansion{item->value, item->where};
  if (parameter.change != '-' || state == VariableState::unknown) return {};
  auto text = literal_fallback(parameter.fallback, variables, longest, depth);
  if (!text || text->size() > longest) return {};
  return Expansion{std::move(*text), {}};
}

std::optional<Expansion> expand_nested(const Parameter& parameter, const Variables& variables,
                                       size_t longest, int depth) {
  if (!parameter.edited.empty()) return expand_edited(parameter, variables, longest);
  if (parameter.name.empty() || parameter.from > 0 || depth > deepest_fallback) return {};
  const bool has_fallback = parameter.change == '-' || parameter.change == '=';
  const auto [state, variable] = variables.look_up(parameter.name);
  using VariableState = Variables::VariableState;
  if (state == VariableState::unknown) return {};
  if (state == VariableState::known && variable->is_map)
    return item_of_map(parameter, variables, longest, depth);
  if (state == VariableState::known) {
    const auto value = value_of(*variable, parameter.subscript);
    if (!value || value->size() > longest) return {};
    if (!value->empty() || !parameter.for_empty) return Expansion{*value, variable->where};
  } else if (!parameter.subscript.empty()) {
    return {};
  }
  if (state == VariableState::unset && !has_fallback && parameter.change == '\0')
    return Expansion{"", variable->where};
  if (!has_fallback) return {};
  auto text = literal_fallback(parameter.fallback, variables, longest, depth);
  if (!text || text->size() > longest) return {};
  return Expansion{std::move(*text), {}};
}

}  // namespace

Parameter parameter_at(std::string_view text, size_t at) {
  const std::string_view after = text.substr(at + 1);
  if (after.starts_with('{')) return braced(text, at);
  if (const auto name = variable_name(after); !name.empty())
    return {.length = 1 + name.size(), .name = name};
  if (!after.empty() && contains(std::string_view("@*#123456789"), after[0]))
    return {.length = 2, .name = after.substr(0, 1)};
  if (!after.empty() && contains(std::string_view("?-$!0"), after[0])) return {.length = 2};
  return {};
}

std::optional<Expansion> expand_parameter(const Parameter& parameter, const Variables& variables,
                                          size_t longest) {
  return expand_nested(parameter, variables, longest, 0);
}

std::optional<HereDocument> take_delimiter(std::string_view text, size_t& at) {
  const bool strips_tabs = text.substr(at).starts_with('-');
  if (strips_tabs) ++at;
  while (at < text.size() && ascii::is_blank(text[at])) ++at;
  const bool has_backslash = text.substr(at).starts_with('\\');
  if (has_backslash) ++at;
  const size_t begin = at;
  size_t end = begin;
  if (begin < text.size() && (text[begin] == '\'' || text[begin] == '"')) {
    end = text.substr(0, begin + 1 + longest_delimiter).find(text[begin], begin + 1);
    if (end == text.npos) return {};
    at = end + 1;
    return HereDocument{text.substr(begin + 1, end - begin - 1), strips_tabs, true};
  }
  end = std::min(text.find_first_of(" \t\r\n;|&<>()`\"'", begin), text.size());
  if (end == begin || end - begin > longest_delimiter) return {};
  at = end;
  return HereDocument{text.substr(begin, end - begin), strips_tabs, has_backslash};
}

size_t end_of_here_document(std::string_view text, const HereDocument& document, size_t begin) {
  size_t indented = text.npos;
  for (size_t at = begin; at < text.size(); at = text::next_line(text, at)) {
    const std::string_view line = text.substr(at, text::line_end(text, at) - at);
    if (text::trim(line) != document.delimiter) continue;
    std::string_view bare = line;
    if (document.strips_tabs) text::take(bare, [](char c) { return c == '\t'; });
    if (bare.starts_with(document.delimiter)) return at;
    indented = std::min(indented, at);
    if (at - indented > farthest) break;
  }
  return indented;
}

void expand_here_document(std::string_view text, HereText& document, const Variables& variables,
                          size_t& budget) {
  text = text.substr(0, document.end);
  for (size_t at = document.begin; (at = text.find_first_of("\\$`", at)) < text.size();) {
    const std::string_view rest = text.substr(at);
    const auto replace = [&](size_t length, std::string with) {
      document.replacements.push_back({at, at + length, std::move(with)});
      at += length;
    };
    const auto leave = [&](size_t length) {
      if (length > 1) document.unfilled.emplace_back(at, at + length);
      at += std::max<size_t>(length, 1);
    };
    if (rest.starts_with("\\\n")) {
      replace(2, "");
    } else if (rest.starts_with("\\\r\n")) {
      replace(3, "");
    } else if (rest[0] == '\\') {
      const std::string_view escaped = document.is_word ? "$`\\\"" : "$`\\";
      if (rest.size() > 1 && contains(escaped, rest[1])) {
        replace(2, std::string(rest.substr(1, 1)));
      } else {
        ++at;
      }
    } else if (rest[0] == '`' || rest.starts_with("$(")) {
      const size_t close = rest[0] == '`' ? rest.find('`', 1) : end_of_parentheses(rest, 1);
      const size_t line = rest.find('\n');
      leave(close < line ? close + 1 : 1);
    } else {
      const Parameter parameter = parameter_at(text, at);
      auto value = expand_parameter(parameter, variables, budget);
      if (value) {
        budget -= value->text.size();
        replace(parameter.length, std::move(value->text));
      } else {
        leave(parameter.length);
      }
    }
  }
}

}  // namespace flexslice::extract
