#include "pool.h"

#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64)
#include <immintrin.h>
#endif

namespace {

// A tenth of a millisecond or so: short enough not to starve the window on a small machine, long enough to bridge the
// gap between two forwards.
constexpr int kSpins = 5000;
// What a team waits for is microseconds away, unless a thread of it has lost its core to a program. Then the core of
// the one that waits is given up, for that thread to go on there: spinning, the two would share the other.
constexpr int kWaitSpins = 500;
constexpr uint64_t kOpen = 1u << 16;
constexpr uint64_t kInside = kOpen - 1;

void pause() {
#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#endif
}

}  // namespace

Pool& Pool::shared() {
  static Pool* pool = new Pool;
  return *pool;
}

void Pool::resize(int size) {
  std::lock_guard<std::mutex> one(callers_);
  if (size < 1) size = 1;
  if (size == this->size()) return;
  stop();
  size_.store(size, std::memory_order_relaxed);
  for (int i = 1; i < size; ++i) workers_.emplace_back(&Pool::work, this, i);
}

void Pool::stop() {
  {
    std::lock_guard<std::mutex> lock(sleepers_);
    stopping_.store(true, std::memory_order_release);
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
  workers_.clear();
  stopping_.store(false, std::memory_order_relaxed);
}

void Pool::run_job(Job job, void* argument) {
  const int size = this->size();
  Team team(this, 0, size);
  if (size == 1) {
    job(argument, team);
    return;
  }
  job_ = job;
  argument_ = argument;
  next_.store(0, std::memory_order_relaxed);
  stage_.store(0, std::memory_order_relaxed);
  const uint64_t opened = ((door_.load(std::memory_order_relaxed) >> 17) + 1) << 17 | kOpen;
  {
    std::lock_guard<std::mutex> lock(sleepers_);
    door_.store(opened, std::memory_order_release);
  }
  wake_.notify_all();
  job(argument, team);
  door_.fetch_and(~kOpen, std::memory_order_seq_cst);
  wait_until([&] { return (door_.load(std::memory_order_seq_cst) & kInside) == 0; });  // stages are over: they come out
}

bool Pool::enter(uint64_t& seen) {
  uint64_t door = door_.load(std::memory_order_acquire);
  while ((door & kOpen) && door >> 17 != seen) {
    if (door_.compare_exchange_weak(door, door + 1, std::memory_order_acq_rel, std::memory_order_acquire)) {
      seen = door >> 17;
      return true;
    }
  }
  return false;
}

void Pool::work(int index) {
  uint64_t seen = 0;
  int idle = 0;
  while (!stopping_.load(std::memory_order_acquire)) {
    if (enter(seen)) {
      Team team(this, index, size());
      job_(argument_, team);
      door_.fetch_sub(1, std::memory_order_seq_cst);
      wake_waiters();
      idle = 0;
    } else if (++idle < kSpins) {
      pause();
    } else {
      std::unique_lock<std::mutex> lock(sleepers_);
      wake_.wait(lock, [&] {
        const uint64_t door = door_.load(std::memory_order_acquire);
        return stopping_.load(std::memory_order_acquire) || ((door & kOpen) && door >> 17 != seen);
      });
      idle = 0;
    }
  }
}

void Pool::finish_parts(uint32_t stage, int64_t parts, int64_t count) {
  if (done_.fetch_add(parts, std::memory_order_acq_rel) + parts < count) return;
  done_.store(0, std::memory_order_relaxed);
  next_.store(static_cast<uint64_t>(stage + 1) << 32, std::memory_order_release);
  stage_.store(stage + 1, std::memory_order_seq_cst);
  wake_waiters();
}

void Pool::await(uint32_t stage) {
  wait_until([&] { return stage_.load(std::memory_order_seq_cst) > stage; });
}

template <typename Condition>
void Pool::wait_until(Condition over) {
  for (int i = 0; i < kWaitSpins; ++i) {
    if (over()) return;
    pause();
  }
  std::unique_lock<std::mutex> lock(waiters_);
  waiting_.fetch_add(1, std::memory_order_seq_cst);
  over_.wait(lock, over);
  waiting_.fetch_sub(1, std::memory_order_relaxed);
}

void Pool::wake_waiters() {
  if (waiting_.load(std::memory_order_seq_cst) == 0) return;
  { std::lock_guard<std::mutex> lock(waiters_); }  // whoever counts itself in has looked again, or sleeps
  over_.notify_all();
}
