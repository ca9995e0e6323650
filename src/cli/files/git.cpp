#include "cli/files/git.hpp"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#ifndef __EMSCRIPTEN__
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#endif

#include "cli/files/files.hpp"

namespace flexslice::cli {

namespace {

constexpr std::size_t most = 64 << 20;  // bytes of an answer

// All that git needs to find itself and the user's own settings; the last two on Windows.
constexpr const char* passed_on[] = {"HOME",       "PATH",       "SUDO_UID", "XDG_CONFIG_HOME",
                                     "SYSTEMROOT", "USERPROFILE"};
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

std::vector<std::string> command(const std::string& directory,
                                 const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"git", "--no-replace-objects",     "-c", "core.fsmonitor=false",
                                    "-c",  "core.hooksPath=/dev/null", "-C", directory};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

#ifdef __EMSCRIPTEN__

std::string packed(const std::vector<std::string>& strings) {
  std::string all;
  for (const std::string& each : strings) all += each + '\0';
  return all;
}

}  // namespace

// In node/system.js.
extern "C" char* flexslice_answer(const char* words, const char* variables, int milliseconds,
                                  std::size_t most, std::size_t* size);

std::string ask_git(const std::string& directory, const std::vector<std::string>& arguments,
                    int milliseconds) {
  std::size_t size = 0;
  char* bytes = flexslice_answer(packed(command(directory, arguments)).c_str(),
                                 packed(environment()).c_str(), milliseconds, most, &size);
  std::string text(bytes == nullptr ? "" : bytes, bytes == nullptr ? 0 : size);
  std::free(bytes);
  if (text.size() > most) throw file_error("git answers more than 64 MiB");
  return text;
}

#else

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> all;
  for (std::string& each : strings) all.push_back(each.data());
  all.push_back(nullptr);
  return all;
}

// Its process, or -1. `out` becomes its stdout.
pid_t start_git(const std::string& directory, const std::vector<std::string>& arguments, int out) {
  std::vector<std::string> words = command(directory, arguments);
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

// Waits until git has written something or has ended, and returns false if that takes longer. git
// may take any time where `milliseconds` is 0.
bool has_answer(int pipe, int milliseconds) {
  pollfd waiting{pipe, POLLIN, 0};
  int ready = 0;
  while ((ready = ::poll(&waiting, 1, milliseconds == 0 ? -1 : milliseconds)) < 0 &&
         errno == EINTR) {
  }
  return ready > 0;
}

}  // namespace

std::string ask_git(const std::string& directory, const std::vector<std::string>& words,
                    int milliseconds) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  const Descriptor answer(ends[0]);
  Descriptor out(ends[1]);
  const pid_t process = start_git(directory, words, *out);
  out.close();
  if (process < 0) return {};
  std::string text;
  bool is_late = false;
  while (text.size() <= most && !(is_late = !has_answer(*answer, milliseconds)) &&
         read_some(answer, text, block, "git")) {
  }
  if (is_late || text.size() > most) ::kill(process, SIGKILL);
  int status = 0;
  ::waitpid(process, &status, 0);
  if (text.size() > most) throw file_error("git answers more than 64 MiB");
  return status == 0 ? text : std::string();
}

#endif

std::optional<std::string> why_refused(const std::string& directory) {
  std::error_code ignored;
  std::filesystem::path root = std::filesystem::canonical(directory, ignored);
  while (root.has_relative_path() && !std::filesystem::exists(root / ".git", ignored))
    root = root.parent_path();
  if (root.empty() || !std::filesystem::exists(root / ".git", ignored)) return std::nullopt;
  const auto is_of_another = [](const std::filesystem::path& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && status.st_uid != ::geteuid();
  };
  if (!is_of_another(root) && !is_of_another(root / ".git")) return std::nullopt;
  if (!ask_git(directory, {"rev-parse", "--git-dir"}).empty() ||
      ask_git(directory, {"--version"}).empty())
    return std::nullopt;
  return fmt::format(
      "git refuses the repository {0}, which belongs to another user; to trust it, run "
      "`git config --global --add safe.directory {0}`",
      root.string());
}

}  // namespace flexslice::cli
