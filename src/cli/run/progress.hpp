// A line on the terminal for who would otherwise wait without a sign for more than a second.
#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

namespace flexslice::cli {

class Progress {
 public:
  // Does nothing unless stderr is a terminal that can erase a line. `shows_results`: stdout shows
  // results as they come.
  explicit Progress(bool shows_results);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void tick(std::size_t count, std::string_view noun);
  // Before anything else is written.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool enabled_;
  bool visible_ = false;
  Clock::time_point next_;
};

}  // namespace flexslice::cli
