#include "cli/run/progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "base/text.hpp"
#include "cli/files/streams.hpp"

namespace flexslice::cli {

namespace {

constexpr std::chrono::milliseconds first_delay{1000}, next_delay{100};
constexpr std::string_view erase_line = "\r\x1b[K";

bool can_show(bool shows_results) {
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return ::isatty(STDERR_FILENO) != 0 && !dumb && !(shows_results && ::isatty(STDOUT_FILENO) != 0);
}

}  // namespace

Progress::Progress(bool shows_results)
    : enabled_(can_show(shows_results)), next_(Clock::now() + first_delay) {}

void Progress::tick(std::size_t count, std::string_view noun) {
  if (!enabled_ || Clock::now() < next_) return;
  next_ = Clock::now() + next_delay;
  visible_ = true;
  print_error(
      fmt::format("{}{} so far", erase_line, text::count(static_cast<std::int64_t>(count), noun)));
}

void Progress::clear() {
  if (!enabled_) return;
  if (visible_) print_error(erase_line);
  if (visible_) next_ = Clock::now() + first_delay;
  visible_ = false;
}

}  // namespace flexslice::cli
