// The threads that kernels run on: their own few, beside the caller, asleep when there is nothing to do.
//
// All threads of a team go through the same stages. A stage is over when its parts are done, not when its threads are:
// one that has lost its core to another program holds up only the part in its hands, and catches up by itself.
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

  // One stage: function(begin, end) for parts of 0..count, each once, taken by whoever is free. Returns when all parts
  // are done. Every thread must come through the same stages in the same order. Parts are of `grain` items, or with
  // kHalving half of a fair share of what is left: long runs of memory first, small parts so that all end together.
  template <typename Function>
  void each(int64_t count, int64_t grain, Function function);

  static constexpr int64_t kHalving = 0;

  const int index;
  const int size;

 private:
  Pool* pool_;
  uint32_t stage_ = 0;
};

class Pool {
 public:
  // Lives as long as the process: workers may be asleep in it when the process ends.
  static Pool& shared();

  int size() const { return size_.load(std::memory_order_relaxed); }
  void resize(int size);

  // How many threads stay away, asleep, until lend(0), so that who shares the machine has their cores for itself: a
  // team that shares a core waits at every stage for what it does there. From any thread, at any time. Returns when
  // they are asleep, or after a moment, where Linux allows on the core of one of them.
  void lend(int cores);

  // function(Team&) on every thread that comes in time; returns when it is done and all have left. One caller at a
  // time.
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
  bool away(int index) const {
    const int lent = lent_.load(std::memory_order_relaxed);
    return lent > 0 && index >= size() - lent;
  }
  void rest(int index);  // while it is lent and its job goes on
  void take_back();      // what was lent, if it is time for that
  template <typename Condition>
  void sleep_until(int index, Condition over);
  bool enter(uint64_t& seen);  // the job that is open, unless it is the one already seen
  void finish_parts(uint32_t stage, int64_t parts, int64_t count);  // the last one opens the next stage
  void await(uint32_t stage);                                       // until it is over
  template <typename Condition>
  void wait_until(Condition over);
  void wake_waiters();

  std::mutex callers_;
  std::mutex sleepers_;
  std::condition_variable wake_;
  std::atomic<int> sleeping_{0};    // workers; written under sleepers_
  std::atomic<int> left_core_{-1};  // by the last that fell asleep
  std::atomic<int> team_core_{-1};  // the caller's, when it took back what was lent
  std::mutex waiters_;
  std::condition_variable over_;  // what a thread of the team sleeps for
  std::atomic<int> waiting_{0};   // threads that sleep for it
  std::vector<std::thread> workers_;
  std::atomic<int> size_{1};
  std::atomic<int> lent_{0};
  std::atomic<int64_t> back_{0};  // nanoseconds of the clock from when on what is lent is wanted again, or 0
  Job job_ = nullptr;
  void* argument_ = nullptr;
  std::atomic<bool> stopping_{false};
  alignas(64) std::atomic<uint64_t> door_{0};  // number of the job << 17 | open << 16 | workers inside
  alignas(64) std::atomic<uint64_t> next_{0};  // stage << 32 | first part not taken
  alignas(64) std::atomic<int64_t> done_{0};   // parts of the stage
  alignas(64) std::atomic<uint32_t> stage_{0};
};

template <typename Function>
void Team::each(int64_t count, int64_t grain, Function function) {
  if (count <= 0) return;
  if (size == 1) {
    function(int64_t{0}, count);
    return;
  }
  const uint32_t stage = stage_++;
  if (index == 0)
    pool_->take_back();
  else if (pool_->away(index))
    pool_->rest(index);
  uint64_t next = pool_->next_.load(std::memory_order_acquire);
  while (next >> 32 == stage) {
    const int64_t begin = static_cast<int64_t>(next & 0xffffffffu);
    if (begin >= count) break;
    const int64_t share = (count - begin + 2 * size - 1) / (2 * size);
    const int64_t part = grain == kHalving ? share : grain;
    const int64_t end = begin + part < count ? begin + part : count;
    const uint64_t taken = static_cast<uint64_t>(stage) << 32 | static_cast<uint64_t>(end);
    if (!pool_->next_.compare_exchange_weak(next, taken, std::memory_order_acq_rel, std::memory_order_acquire))
      continue;
    function(begin, end);
    pool_->finish_parts(stage, end - begin, count);
    next = pool_->next_.load(std::memory_order_acquire);
  }
  pool_->await(stage);
}
