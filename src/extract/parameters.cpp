#include "extract/parameters.hpp"

#include <algorithm>
#include <utility>

#include "base/lists.hpp"
#include "extract/shell_words.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

constexpr int deepest_fallback = 4;  // fallbacks in fallbacks
constexpr size_t longest_value = 4096;

Parameter braced(std::string_view text, size_t at) {
  size_t end = at + 2;
  for (int depth = 1; end < text.size() && text[end] != '\n'; ++end) {
    if (text[end] == '{') ++depth;
    if (text[end] == '}' && --depth == 0) break;
  }
  if (end == text.size() || text[end] != '}') return {.length = end - at};
  Parameter result{.length = end + 1 - at};
  const std::string_view inner = text.substr(at + 2, end - at - 2);
  const std::string_view name = variable_name(inner);
  std::string_view change = inner.substr(name.size());
  if (change.empty()) {
    result.name = name;
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

// An empty fallback keeps `set -u` quiet and is hardly ever the value that is meant.
std::optional<std::string> literal(std::string_view fallback, const Variables& variables,
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

std::optional<Expansion> expand_nested(const Parameter& parameter, const Variables& variables,
                                       size_t longest, int depth) {
  if (parameter.name.empty() || depth > deepest_fallback) return {};
  const bool has_fallback = parameter.change == '-' || parameter.change == '=';
  if (const auto found = variables.find(parameter.name); found != variables.end()) {
    const Variable& variable = found->second;
    const std::string& value = variable.value;
    if (!variable.known || value.size() > longest) return {};
    if (!value.empty() || !parameter.for_empty) return Expansion{value, variable.where};
  }
  if (!has_fallback) return {};
  auto text = literal(parameter.fallback, variables, longest, depth);
  if (!text || text->size() > longest) return {};
  return Expansion{std::move(*text), {}};
}

}  // namespace

Parameter parameter_at(std::string_view text, size_t at) {
  const std::string_view after = text.substr(at + 1);
  if (after.starts_with('{')) return braced(text, at);
  if (const auto name = variable_name(after); !name.empty())
    return {.length = 1 + name.size(), .name = name};
  if (!after.empty() && contains(std::string_view("@*#?-$!0123456789"), after[0]))
    return {.length = 2};
  return {};
}

std::optional<Expansion> expand(const Parameter& parameter, const Variables& variables,
                                size_t longest) {
  return expand_nested(parameter, variables, longest, 0);
}

void set_variable(Variables& variables, std::string_view name, std::string_view value, Span where,
                  bool known, std::shared_ptr<const HostText> host) {
  if (name.empty()) return;
  if (known && value.size() > longest_value) {
    known = false;
    host = std::make_shared<const HostText>(HostText{std::string(value), {}});
  }
  variables.insert_or_assign(
      std::string(name), Variable{std::string(known ? value : ""), where, known, std::move(host)});
}

}  // namespace flexslice::extract
