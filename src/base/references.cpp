#include "base/references.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace flexslice {

namespace {

using std::size_t;

// The names in `$(NAME)`; of `$$(NAME)` Kubernetes makes the text `$(NAME)`.
std::vector<std::string_view> references(std::string_view text) {
  std::vector<std::string_view> found;
  for (size_t at = 0; (at = text.find('$', at)) != std::string_view::npos;) {
    const std::string_view rest = text.substr(at);
    if (!rest.starts_with("$(")) {
      at += rest.starts_with("$$") ? 2 : 1;
      continue;
    }
    const size_t end = rest.find(')');
    if (end == std::string_view::npos) break;
    found.push_back(rest.substr(2, end - 2));
    at += end;
  }
  return found;
}

// The variables by their names, those of one name in their order.
using Named = std::multimap<std::string_view, size_t>;

Named by_name(std::span<const NamedText> variables) {
  Named named;
  for (size_t i = 0; i < variables.size(); ++i) named.emplace(variables[i].name, i);
  return named;
}

}  // namespace

std::vector<size_t> after_references(std::span<const NamedText> variables) {
  enum class State : char { unseen, open, done };
  const Named named = by_name(variables);
  std::vector<State> states(variables.size());
  std::vector<size_t> order, open;
  // Depth first, and without recursion: a hostile chain is as long as its file.
  for (size_t variable = 0; variable < variables.size(); ++variable) {
    open.push_back(variable);
    while (!open.empty()) {
      const size_t last = open.back();
      if (states[last] == State::unseen) {
        states[last] = State::open;
        // The last comes first.
        const auto first = static_cast<std::ptrdiff_t>(open.size());
        for (const std::string_view name : references(variables[last].text)) {
          for (auto [at, end] = named.equal_range(name); at != end; ++at) {
            if (states[at->second] == State::unseen) open.push_back(at->second);
          }
        }
        std::sort(open.begin() + first, open.end(), std::greater());
        continue;
      }
      open.pop_back();
      if (states[last] == State::done) continue;
      states[last] = State::done;
      order.push_back(last);
    }
  }
  return order;
}

std::vector<NamedTooEarly> named_too_early(std::span<const NamedText> variables) {
  std::vector<NamedTooEarly> early;
  const Named named = by_name(variables);
  for (size_t i = 0; i < variables.size(); ++i) {
    for (const std::string_view name : references(variables[i].text)) {
      const auto first = named.find(name);
      if (first == named.end() || first->second <= i) continue;
      early.push_back({i, first->second});
      break;
    }
  }
  return early;
}

}  // namespace flexslice
