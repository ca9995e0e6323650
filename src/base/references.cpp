#include "base/references.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>

namespace flexslice {

namespace {

using std::size_t;

// The names in `$(NAME)`; of `$$(NAME)` Kubernetes makes the text `$(NAME)`.
std::vector<std::string_view> references(std::string_view text) {
  std::vector<std::string_view> names;
  for (size_t at = 0; (at = text.find('$', at)) != std::string_view::npos;) {
    const std::string_view rest = text.substr(at);
    if (!rest.starts_with("$(")) {
      at += rest.starts_with("$$") ? 2 : 1;
      continue;
    }
    const size_t end = rest.find(')');
    if (end == std::string_view::npos) break;
    names.push_back(rest.substr(2, end - 2));
    at += end;
  }
  return names;
}

bool has_reference(const NamedText& variable) {
  return variable.text.find("$(") != std::string_view::npos;
}

// The variables by their names.
class VariableNames {
 public:
  explicit VariableNames(std::span<const NamedText> variables) {
    for (size_t i = 0; i < variables.size(); ++i) by_name_.emplace_back(variables[i].name, i);
    std::ranges::sort(by_name_);
  }

  using Entry = std::pair<std::string_view, size_t>;

  // With their indices, the first one first.
  std::span<const Entry> find(std::string_view name) const {
    const auto begin = std::ranges::lower_bound(by_name_, name, {}, &Entry::first);
    const auto end = std::ranges::upper_bound(begin, by_name_.end(), name, {}, &Entry::first);
    return {std::to_address(begin), std::to_address(end)};
  }

 private:
  std::vector<Entry> by_name_;
};

class ReferenceOrder {
 public:
  explicit ReferenceOrder(std::span<const NamedText> variables)
      : variables_(variables), names_(variables) {}

  std::vector<size_t> take() {
    state_.resize(variables_.size());
    for (size_t i = 0; i < variables_.size(); ++i) append(i);
    return std::move(order_);
  }

 private:
  enum class State : char { unseen, open, done };

  // Depth first, and without recursion: a hostile chain is as long as its file.
  void append(size_t variable) {
    std::vector<size_t> open{variable};
    while (!open.empty()) {
      const size_t last = open.back();
      if (state_[last] == State::unseen) {
        state_[last] = State::open;
        for (const size_t other : named_in(variables_[last].text))
          if (state_[other] == State::unseen) open.push_back(other);
        continue;
      }
      open.pop_back();
      if (state_[last] == State::done) continue;
      state_[last] = State::done;
      order_.push_back(last);
    }
  }

  // The last comes first.
  std::vector<size_t> named_in(std::string_view text) const {
    std::vector<size_t> named;
    for (const std::string_view name : references(text)) {
      for (const auto& [first, index] : names_.find(name)) named.push_back(index);
    }
    std::ranges::sort(named, std::greater());
    return named;
  }

  std::span<const NamedText> variables_;
  VariableNames names_;
  std::vector<State> state_;
  std::vector<size_t> order_;
};

}  // namespace

std::vector<size_t> after_references(std::span<const NamedText> variables) {
  if (std::ranges::any_of(variables, has_reference)) return ReferenceOrder(variables).take();
  std::vector<size_t> order(variables.size());
  std::iota(order.begin(), order.end(), size_t(0));
  return order;
}

std::vector<NamedTooEarly> named_too_early(std::span<const NamedText> variables) {
  std::vector<NamedTooEarly> early;
  if (std::ranges::none_of(variables, has_reference)) return early;
  const VariableNames names(variables);
  for (size_t i = 0; i < variables.size(); ++i) {
    for (const std::string_view name : references(variables[i].text)) {
      const auto named = names.find(name);
      if (named.empty() || named.front().second <= i) continue;
      early.push_back({i, named.front().second});
      break;
    }
  }
  return early;
}

}  // namespace flexslice
