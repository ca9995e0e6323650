#include <string>
#include <utility>
#include <vector>

#include "../catch.hpp"
#include "base/references.hpp"

using flexslice::after_references;
using flexslice::NamedText;
using Order = std::vector<std::size_t>;

TEST_CASE("variables come after those that they name") {
  const auto order = [](std::vector<NamedText> variables) { return after_references(variables); };
  REQUIRE(order({}) == Order{});
  REQUIRE(order({{"B", "1"}, {"A", "2"}}) == Order{0, 1});
  REQUIRE(order({{"A", "$(B)"}, {"B", "1"}}) == Order{1, 0});
  REQUIRE(order({{"A", "$(C)/$(B)"}, {"B", "1"}, {"C", "$(D)"}, {"D", ""}}) == Order{1, 3, 2, 0});
  REQUIRE(order({{"A", "$(HOME) $(B"}, {"B", "$()"}}) == Order{0, 1});
  REQUIRE(order({{"A", "$$(B)"}, {"B", ""}}) == Order{0, 1});
  REQUIRE(order({{"A", "$$$(B)"}, {"B", ""}}) == Order{1, 0});
  // The same name twice: the last one counts, and both stay.
  REQUIRE(order({{"A", "$(B)"}, {"B", "1"}, {"B", "2"}}) == Order{1, 2, 0});
}

TEST_CASE("a circle of references is cut where it closes") {
  REQUIRE(after_references(std::vector<NamedText>{{"A", "$(A)"}}) == Order{0});
  REQUIRE(after_references(std::vector<NamedText>{{"A", "$(B)"}, {"B", "$(C)"}, {"C", "$(A)"}}) ==
          Order{2, 1, 0});
}

TEST_CASE("a chain of references may be as long as a file") {
  std::vector<std::string> names, texts;
  const std::size_t count = 200'000;
  for (std::size_t i = 0; i < count; ++i) names.push_back("V" + std::to_string(i));
  for (std::size_t i = 0; i < count; ++i)
    texts.push_back(i + 1 < count ? "$(" + names[i + 1] + ")" : "end");
  std::vector<NamedText> variables;
  for (std::size_t i = 0; i < count; ++i) variables.push_back({names[i], texts[i]});
  const Order order = after_references(variables);
  REQUIRE(order.size() == count);
  REQUIRE(order.front() == count - 1);
  REQUIRE(order.back() == 0);
}

TEST_CASE("variables that are named too early") {
  const auto early = [](std::vector<NamedText> variables) {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (const auto& [variable, named] : flexslice::named_too_early(variables))
      pairs.emplace_back(variable, named);
    return pairs;
  };
  using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
  REQUIRE(early({{"A", "$(B) $(C)"}, {"B", "$(A)"}}) == Pairs{{0, 1}});
  REQUIRE(early({{"B", ""}, {"A", "$(B)"}, {"B", "2"}}).empty());
  REQUIRE(early({{"A", "$(A)"}, {"B", "$$(C)"}, {"C", ""}}).empty());
}
