// The threads that kernels run on: their own few, beside the caller, asleep when there is nothing to do.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

class Pool;

// One thread's view of a piece of work that all threads run together.
class Team {
 public:
  Team(Pool* pool, int index, int size) : index(index), size(size), pool_(pool) {}

  // function(begin, end) for parts of 0..count of at most `grain`, taken by whoever is free; then waits for all.
  template <typename Function>
  void each(int64_t count, int64_t grain, Function function);

  const int index;
  const int size;

 private:
  Pool* pool_;
};

class Pool {
 public:
  // Lives as long as the process: workers may be asleep in it when the process ends.
  static Pool& shared();

  int size() const { return size_.load(std::memory_order_relaxed); }
  void resize(int size);

  // function(Team&) on every thread at once; returns when all have finished. One caller at a time.
  template <typename Function>
  void run(Function function) {
    std::lock_guard<std::mutex> one(callers_);
    run_job([](void* f, Team& team) { (*static_cast<Function*>(f))(team); }, &function);
  }

 private:
  friend class Team;
  using Job = void (*)(void*, Team&);

  void run_job(Job job, void* argument);
  void work(int index);
  void stop();
  void wait();  // until all threads of the team are here; resets the counter

  std::mutex callers_;
  std::mutex sleepers_;
  std::condition_variable wake_;
  std::vector<std::thread> workers_;
  std::atomic<int> size_{1};
  Job job_ = nullptr;
  void* argument_ = nullptr;
  bool stopping_ = false;
  alignas(64) std::atomic<uint32_t> started_{0};
  alignas(64) std::atomic<int64_t> next_{0};
  alignas(64) std::atomic<int> arrived_{0};
  alignas(64) std::atomic<uint32_t> passed_{0};
};

template <typename Function>
void Team::each(int64_t count, int64_t grain, Function function) {
  if (size == 1) {
    if (count > 0) function(int64_t{0}, count);
    return;
  }
  for (;;) {
    const int64_t begin = pool_->next_.fetch_add(grain, std::memory_order_relaxed);
    if (begin >= count) break;
    function(begin, begin + grain < count ? begin + grain : count);
  }
  pool_->wait();
}
