// Work on several threads whose results come in order. batch.cpp calls it.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace flexslice::cli {

// `produce` fills a chunk, or says that there is no more; `work` is done on it by any thread;
// `consume` takes the chunks in their order, or says that it is enough. `produce` and `consume` run
// on the thread that calls `run`, which works too, so that `jobs` threads are busy. The number of
// chunks that exist at a time is bounded. What `work` throws comes out of `run`.
template <class Chunk>
class Pipeline {
 public:
  using Step = std::function<bool(Chunk&)>;
  using Work = std::function<void(Chunk&)>;

  Pipeline(unsigned jobs, Step produce, Work work, Step consume)
      : jobs_(jobs),
        produce_(std::move(produce)),
        work_(std::move(work)),
        consume_(std::move(consume)) {}
  ~Pipeline() { stop(); }
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  void run() {
    bool more = true;
    while (more || !slots_.empty()) {
      if (more && slots_.size() < std::size_t{jobs_} * depth) {
        more = add();
      } else if (finished(*slots_.front())) {
        if (!take()) return;
      } else if (Slot* slot = next()) {
        finish(*slot);
      } else {
        wait(*slots_.front());
      }
    }
  }

 private:
  static constexpr std::size_t depth = 4;

  struct Slot {
    Chunk chunk;
    std::exception_ptr error;
    bool done = false;  // guarded by mutex_
  };

  bool add() {
    auto slot = std::make_unique<Slot>();
    if (!produce_(slot->chunk)) return false;
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back(slot.get());
    }
    slots_.push_back(std::move(slot));
    // A single chunk is not worth a thread.
    if (slots_.size() > 1 && threads_.size() + 1 < jobs_) threads_.emplace_back([this] { help(); });
    to_do_.notify_one();
    return true;
  }

  bool finished(const Slot& slot) {
    const std::lock_guard lock(mutex_);
    return slot.done;
  }

  bool take() {
    const std::unique_ptr<Slot> slot = std::move(slots_.front());
    slots_.pop_front();
    if (slot->error) std::rethrow_exception(slot->error);
    return consume_(slot->chunk);
  }

  Slot* next() {
    const std::lock_guard lock(mutex_);
    return pop();
  }

  Slot* pop() {
    if (queue_.empty()) return nullptr;
    Slot* slot = queue_.front();
    queue_.pop_front();
    return slot;
  }

  void finish(Slot& slot) {
    try {
      work_(slot.chunk);
    } catch (...) {
      slot.error = std::current_exception();
    }
    {
      const std::lock_guard lock(mutex_);
      slot.done = true;
    }
    done_.notify_one();
  }

  void wait(const Slot& slot) {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return slot.done; });
  }

  void help() {
    for (;;) {
      Slot* slot = nullptr;
      {
        std::unique_lock lock(mutex_);
        to_do_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
        if (stopping_) return;
        slot = pop();
      }
      finish(*slot);
    }
  }

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    to_do_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  unsigned jobs_;
  Step produce_;
  Work work_;
  Step consume_;
  std::deque<std::unique_ptr<Slot>> slots_;  // in order, until they are consumed
  std::vector<std::thread> threads_;

  std::mutex mutex_;
  std::condition_variable to_do_, done_;
  std::deque<Slot*> queue_;  // nobody works on these yet
  bool stopping_ = false;
};

}  // namespace flexslice::cli
