#include "pool.h"

#include <algorithm>
#include <chrono>

#if defined(__linux__)
#include <sched.h>
#endif

#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64)
#include <immintrin.h>
#endif

namespace {

// Nanoseconds: long enough to bridge the gap between two forwards, short enough not to starve the window on a small
// machine.
constexpr int64_t kPatience = 300'000;
// What a team waits for is microseconds away, unless a thread of it has lost its core to a program. Then the core of
// the one that waits is given up, for that thread to go on there: spinning, the two would share the other.
constexpr int kWaitSpins = 500;
// Who says that it is done with a core is about to leave it: a thread that is woken at once would be put beside the
// caller, on the other one.
constexpr int64_t kSettle = 200'000;
constexpr int kLooks = 20;
constexpr std::chrono::microseconds kLook(20);
constexpr uint64_t kOpen = 1u << 16;
constexpr uint64_t kInside = kOpen - 1;

#if defined(__linux__)
int this_core() { return sched_getcpu(); }

// Linux looks for no idle core while the others are at work: a thread that wakes stays where it was, beside a busy one.
void move_to(int core) {
  cpu_set_t allowed, one;
  if (core < 0 || core == this_core() || sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return;
  if (!CPU_ISSET(core, &allowed)) return;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  if (sched_setaffinity(0, sizeof(one), &one) == 0) sched_setaffinity(0, sizeof(allowed), &allowed);
}
#else
int this_core() { return -1; }
void move_to(int) {}
#endif

int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

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
  take_back();
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
  if (!away(1)) wake_.notify_all();
  job(argument, team);
  {
    std::lock_guard<std::mutex> lock(sleepers_);
    door_.fetch_and(~kOpen, std::memory_order_seq_cst);
  }
  if (lent_.load(std::memory_order_relaxed)) wake_.notify_all();  // who rests in the job comes out of it
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
  int64_t left = now();  // the job before
  while (!stopping_.load(std::memory_order_acquire)) {
    if (!away(index) && enter(seen)) {
      Team team(this, index, size());
      job_(argument_, team);
      door_.fetch_sub(1, std::memory_order_seq_cst);
      wake_waiters();
      left = now();
    } else if (!away(index) && now() - left < kPatience) {
      pause();
    } else {
      sleep_until(index, [&] {
        const uint64_t door = door_.load(std::memory_order_acquire);
        return stopping_.load(std::memory_order_acquire) || (!away(index) && (door & kOpen) && door >> 17 != seen);
      });
      left = now();
    }
  }
}

void Pool::lend(int cores) {
  {
    std::lock_guard<std::mutex> lock(sleepers_);
    back_.store(cores > 0 ? 0 : now() + kSettle, std::memory_order_relaxed);
    if (cores > 0) lent_.store(cores, std::memory_order_relaxed);
  }
  if (cores == 0) return;
  const int leaving = std::min(cores, size() - 1);
  for (int i = 0; i < kLooks && sleeping_.load(std::memory_order_relaxed) < leaving; ++i)
    std::this_thread::sleep_for(kLook);
  move_to(left_core_.load(std::memory_order_relaxed));
}

void Pool::take_back() {
  if (lent_.load(std::memory_order_relaxed) == 0) return;
  int64_t back = back_.load(std::memory_order_relaxed);
  if (back == 0 || now() < back) return;
  {
    std::lock_guard<std::mutex> lock(sleepers_);
    if (back_.load(std::memory_order_relaxed) == 0) return;  // lent anew
    lent_.store(0, std::memory_order_relaxed);
    team_core_.store(this_core(), std::memory_order_relaxed);
  }
  wake_.notify_all();
}

void Pool::rest(int index) {
  sleep_until(index, [&] { return !away(index) || !(door_.load(std::memory_order_seq_cst) & kOpen); });
}

template <typename Condition>
void Pool::sleep_until(int index, Condition over) {
  const int core = this_core();
  std::unique_lock<std::mutex> lock(sleepers_);
  const bool lent = away(index);
  left_core_.store(core, std::memory_order_relaxed);
  sleeping_.fetch_add(1, std::memory_order_relaxed);
  wake_.wait(lock, over);
  sleeping_.fetch_sub(1, std::memory_order_relaxed);
  lock.unlock();
  if (lent && this_core() == team_core_.load(std::memory_order_relaxed)) move_to(core);
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
