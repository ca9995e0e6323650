#include "base/references.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace flexslice {

namespace {

using std::size_t;

// The names in `$(NAME)`.
std::vector<std::string_view> references(std::string_view text) {
  std::vector<std::string_view> names;
  for (size_t at = 0; (at = text.find("$(", at)) != std::string_view::npos;) {
    const size_t end = text.find(')', at);
    if (end == std::string_view::npos) break;
    names.push_back(text.substr(at + 2, end - at - 2));
    at = end;
  }
  return names;
}

class Order {
 public:
  explicit Order(std::span<const NamedText> variables) : variables_(variables) {
    for (size_t i = 0; i < variables.size(); ++i) by_name_.emplace_back(variables[i].name, i);
    std::ranges::sort(by_name_);
  }

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
      for (const auto& [first, index] : std::ranges::equal_range(
               by_name_, name, {}, &std::pair<std::string_view, size_t>::first))
        named.push_back(index);
    }
    std::ranges::sort(named, std::greater());
    return named;
  }

  std::span<const NamedText> variables_;
  std::vector<std::pair<std::string_view, size_t>> by_name_;
  std::vector<State> state_;
  std::vector<size_t> order_;
};

}  // namespace

std::vector<size_t> after_references(std::span<const NamedText> variables) {
  const auto has_reference = [](const NamedText& variable) {
    return variable.text.find("$(") != std::string_view::npos;
  };
  if (std::ranges::any_of(variables, has_reference)) return Order(variables).take();
  std::vector<size_t> order(variables.size());
  std::iota(order.begin(), order.end(), size_t(0));
  return order;
}

}  // namespace flexslice
