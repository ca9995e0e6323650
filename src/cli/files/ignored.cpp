#include "cli/files/ignored.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <utility>
#include <vector>

namespace flexslice::cli {

namespace {

constexpr int patience = 30'000;  // milliseconds without an answer

// All that git needs to find itself and the user's own settings.
constexpr const char* passed_on[] = {"HOME", "PATH", "SUDO_UID", "XDG_CONFIG_HOME"};
// Nothing is fetched, by whatever protocol, nobody is asked, and nothing is written.
constexpr const char* added[] = {"GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1",
                                 "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C"};

std::vector<std::string> environment() {
  std::vector<std::string> variables(std::begin(added), std::end(added));
  for (const char* name : passed_on) {
    if (const char* value = std::getenv(name)) variables.push_back(std::string(name) + "=" + value);
  }
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> all;
  for (std::string& each : strings) all.push_back(each.data());
  all.push_back(nullptr);
  return all;
}

// Its process, or -1. `out` becomes its stdout.
pid_t start_git(const std::string& directory, int out) {
  std::vector<std::string> words = {"git",
                                    "-c",
                                    "core.fsmonitor=false",
                                    "-c",
                                    "core.hooksPath=/dev/null",
                                    "-C",
                                    directory,
                                    "ls-files",
                                    "--others",
                                    "--ignored",
                                    "--exclude-standard",
                                    "--directory",
                                    "-z"};
  std::vector<std::string> variables = environment();
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGCHLD);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process = -1;
  const int failed = ::posix_spawnp(&process, "git", &files, &attributes, pointers(words).data(),
                                    pointers(variables).data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return failed == 0 ? process : -1;
}

}  // namespace

Ignored::Ignored(const std::string& directory) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  answer_ = Descriptor(ends[0]);
  const Descriptor out(ends[1]);
  git_ = start_git(directory, *out);
  if (git_ < 0) answer_.close();
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
