#include <stdexcept>
#include <string>
#include <vector>

#include "../catch.hpp"
#include "base/ordered_parallel.hpp"

using flexslice::ordered_parallel;

namespace {

// The numbers from 0, doubled by the workers; `emit` says whether to go on.
template <class Emit>
void doubled(unsigned workers, int count, Emit emit) {
  int number = 0;
  ordered_parallel(
      workers,
      [&]() -> std::optional<int> {
        if (number == count) return std::nullopt;
        return number++;
      },
      [](int& item) { item *= 2; }, [&](int& item) { return emit(item); });
}

}  // namespace

TEST_CASE("results of several workers come in order") {
  for (unsigned workers : {1u, 2u, 8u}) {
    for (int count : {0, 1, 2, 1000}) {
      std::vector<int> results;
      doubled(workers, count, [&](int item) {
        results.push_back(item);
        return true;
      });
      REQUIRE(results.size() == static_cast<std::size_t>(count));
      for (int i = 0; i < count; ++i) REQUIRE(results[static_cast<std::size_t>(i)] == 2 * i);
    }
  }
}

TEST_CASE("nothing is emitted after the end") {
  for (unsigned workers : {1u, 2u, 8u}) {
    int emitted = 0;
    doubled(workers, 1000, [&](int) { return ++emitted < 20; });
    REQUIRE(emitted == 20);
  }
}

TEST_CASE("the exception of any step ends the run") {
  for (unsigned workers : {1u, 2u, 8u}) {
    for (const std::string step : {"next", "work", "emit"}) {
      int number = 0;
      const auto fail = [&](const char* here, int item) {
        if (step == here && item == 30) throw std::runtime_error(step);
      };
      REQUIRE_THROWS_WITH(ordered_parallel(
                              workers,
                              [&]() -> std::optional<int> {
                                fail("next", number);
                                return number++;
                              },
                              [&](int& item) { fail("work", item); },
                              [&](int& item) {
                                fail("emit", item);
                                return true;
                              }),
                          step);
    }
  }
}
