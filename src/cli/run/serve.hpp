// Moves the messages of a server between the standard streams.
#pragma once

#include <poll.h>
#include <unistd.h>

#include <string>

#include "cli/files/files.hpp"
#include "rpc/frames.hpp"

namespace flexslice::cli {

// Cuts stdin into messages by `Frames`. `take` gets each, and says whether to go on; `idle` is
// called when none waits. Ends with stdin, or when stdout is gone.
template <class Frames>
void serve(auto take, auto idle) {
  const Descriptor input(STDIN_FILENO);
  constexpr std::size_t step = 1u << 16;
  Frames frames;
  for (std::string bytes;; bytes.clear()) {
    while (const auto message = frames.next()) {
      if (!take(*message)) return;
    }
    pollfd waiting{STDIN_FILENO, POLLIN, 0};
    if (::poll(&waiting, 1, 0) <= 0) idle();
    flush();
    if (!stdout_works() || !read_some(input, bytes, step, "<stdin>")) break;
    frames.add(bytes);
  }
  idle();
}

}  // namespace flexslice::cli
