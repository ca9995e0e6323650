#include "cli/files/ignored.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

#include "cli/files/git.hpp"

namespace flexslice::cli {

namespace {

constexpr int patience = 30'000;  // milliseconds without an answer

std::vector<std::string> question() {
  return {"ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"};
}

}  // namespace

Ignored::Ignored(const std::string& directory) {
#ifdef __EMSCRIPTEN__
  buffer_ = ask_git(directory, question(), patience);
#else
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  answer_ = Descriptor(ends[0]);
  const Descriptor out(ends[1]);
  git_ = start_git(directory, question(), *out);
  if (git_ < 0) answer_.close();
#endif
}

bool Ignored::contains(std::string_view path) {
  if (current_.empty()) advance();
  while (!current_.empty() && current_ < path) advance();
  return current_ == path;
}

void Ignored::advance() {
  current_ = {};
  std::size_t end = 0;
  while ((end = buffer_.find('\0', begin_)) == std::string::npos) {
    if (!fill()) return;
  }
  current_ = std::string_view(buffer_).substr(begin_, end - begin_);
  begin_ = end + 1;
}

// False at the end of the answer.
bool Ignored::fill() {
  if (!answer_) return false;
  buffer_.erase(0, std::exchange(begin_, 0));
  pollfd waiting{*answer_, POLLIN, 0};
  int ready = 0;
  while ((ready = ::poll(&waiting, 1, patience)) < 0 && errno == EINTR) {
  }
  if (ready > 0 && read_some(answer_, buffer_, block, "git")) return true;
  end();
  return false;
}

void Ignored::end() {
  if (!answer_) return;
  // Without POLLHUP somebody can still write: git is there, and its number is its own.
  pollfd pipe{*answer_, POLLIN, 0};
  if (::poll(&pipe, 1, 0) >= 0 && (pipe.revents & POLLHUP) == 0) ::kill(git_, SIGKILL);
  answer_.close();
}

}  // namespace flexslice::cli
