// Runs commands in turns and tells how long each took and how much memory it had at most. Small and
// static, because a child is charged with the memory of the process it was forked from, and because
// a large one forks slowly.
//   flexslice-measure ROUNDS COMMAND... [, COMMAND...]...
// A command is `[<STDIN] PROGRAM ARGUMENT...`; parts with a lone `&` between them run at the same
// time. Output goes to /dev/null. Prints one line of JSON for each command: {"wall_ns": [of each
// round], "peak_kib": the largest, "status": the last}.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace {

struct Part {
  const char* input = "/dev/null";
  std::vector<char*> argv;  // ends with a null pointer
};

struct Command {
  std::vector<Part> parts{1};
  std::vector<long long> walls, cpus;
  long peak_kib = 0;
  int status = 0;
};

std::vector<Command> read_commands(char** words, int count) {
  std::vector<Command> commands(1);
  for (int i = 0; i < count; ++i) {
    const std::string_view word = words[i];
    Part& part = commands.back().parts.back();
    if (word == ",") {
      commands.emplace_back();
    } else if (word == "&") {
      commands.back().parts.emplace_back();
    } else if (part.argv.empty() && word.starts_with('<')) {
      part.input = words[i] + 1;
    } else {
      part.argv.push_back(words[i]);
    }
  }
  for (Command& command : commands) {
    for (Part& part : command.parts) part.argv.push_back(nullptr);
  }
  return commands;
}

pid_t start(Part& part) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, part.input, O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  pid_t child = -1;
  const int error = posix_spawnp(&child, part.argv[0], &files, nullptr, part.argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  return error == 0 ? child : -1;
}

void run(Command& command) {
  long long cpu = 0;  // of users and the system
  const auto begin = std::chrono::steady_clock::now();
  for (Part& part : command.parts) {
    if (start(part) < 0) std::exit(3);
  }
  for (std::size_t i = 0; i < command.parts.size(); ++i) {
    int status = 0;
    rusage usage{};
    if (wait4(-1, &status, 0, &usage) < 0) std::exit(3);
    command.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    command.peak_kib = std::max(command.peak_kib, usage.ru_maxrss);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      cpu += time.tv_sec * 1'000'000'000LL + time.tv_usec * 1'000LL;
  }
  command.walls.push_back((std::chrono::steady_clock::now() - begin).count());
  command.cpus.push_back(cpu);
}

void print(const char* name, const std::vector<long long>& times) {
  std::printf("\"%s\": [", name);
  for (std::size_t i = 0; i < times.size(); ++i)
    std::printf("%s%lld", i == 0 ? "" : ", ", times[i]);
  std::fputs("], ", stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 2 ? std::atoi(argv[1]) : 0;
  if (rounds < 1) {
    std::fputs("usage: flexslice-measure ROUNDS COMMAND... [, COMMAND...]...\n", stderr);
    return 2;
  }
  std::vector<Command> commands = read_commands(argv + 2, argc - 2);
  for (int round = 0; round < rounds; ++round) {
    for (Command& command : commands) run(command);
  }
  for (const Command& command : commands) {
    std::fputs("{", stdout);
    print("wall_ns", command.walls);
    print("cpu_ns", command.cpus);
    std::printf("\"peak_kib\": %ld, \"status\": %d}\n", command.peak_kib, command.status);
  }
  return 0;
}
