// Work on several threads whose results come in order.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

namespace flexslice {

// Each worker repeats: take an item, work on it, wait for its turn, emit it. `next` returns an
// optional item, which is empty at the end; `emit` returns whether to go on. One worker at a time
// calls `next`, and one calls `emit`, both in the order of the items; `work` runs at the same time
// for different items. There are as many items as workers at most. The first exception ends the
// run, and is thrown.
template <class Next, class Work, class Emit>
void ordered_parallel(unsigned workers, Next next, Work work, Emit emit) {
  std::mutex input, output;  // guard what is below them
  std::size_t taken = 0;
  std::deque<std::thread> helpers;

  std::size_t emitted = 0;
  std::condition_variable turn;
  std::exception_ptr error;

  std::atomic<bool> done = false;
  const auto stop = [&](std::exception_ptr reason) {
    const std::lock_guard lock(output);
    if (!error) error = std::move(reason);
    done = true;
    turn.notify_all();
  };
  const auto step = [&](const auto& run_worker) {
    std::unique_lock taking(input);
    if (done) return false;
    auto item = next();
    if (!item) return false;
    const std::size_t number = taken++;
    // A single item is not worth a thread.
    if (number > 0 && helpers.size() + 1 < workers) helpers.emplace_back(run_worker, run_worker);
    taking.unlock();
    work(*item);
    std::unique_lock emitting(output);
    turn.wait(emitting, [&] { return done || emitted == number; });
    if (done) return false;
    const bool more = emit(*item);
    ++emitted;
    if (!more) done = true;
    turn.notify_all();
    return more;
  };
  const auto worker = [&](const auto& self) {
    try {
      while (step(self)) {
      }
    } catch (...) {
      stop(std::current_exception());
    }
  };
  worker(worker);
  {
    // No helper starts another after this.
    const std::lock_guard lock(input);
  }
  for (std::thread& helper : helpers) helper.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace flexslice
