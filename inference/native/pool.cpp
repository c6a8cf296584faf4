#include "pool.h"

#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64)
#include <immintrin.h>
#endif

namespace {

// Short enough not to starve the window on a small machine, long enough to bridge the gap between two forwards.
constexpr int kSpins = 2000;

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
    stopping_ = true;
    started_.fetch_add(1, std::memory_order_release);
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
  workers_.clear();
  stopping_ = false;
  started_.store(0, std::memory_order_relaxed);
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
  {
    std::lock_guard<std::mutex> lock(sleepers_);
    started_.fetch_add(1, std::memory_order_release);
  }
  wake_.notify_all();
  job(argument, team);
  wait();
}

void Pool::work(int index) {
  Team team(this, index, size());
  uint32_t seen = 0;
  for (;;) {
    for (int i = 0; i < kSpins && started_.load(std::memory_order_acquire) == seen; ++i) pause();
    if (started_.load(std::memory_order_acquire) == seen) {
      std::unique_lock<std::mutex> lock(sleepers_);
      wake_.wait(lock, [&] { return started_.load(std::memory_order_acquire) != seen; });
    }
    seen = started_.load(std::memory_order_acquire);
    if (stopping_) return;
    job_(argument_, team);
    wait();
  }
}

void Pool::wait() {
  const uint32_t before = passed_.load(std::memory_order_relaxed);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == size()) {
    next_.store(0, std::memory_order_relaxed);
    arrived_.store(0, std::memory_order_relaxed);
    passed_.store(before + 1, std::memory_order_release);
    return;
  }
  for (int i = 0; passed_.load(std::memory_order_acquire) == before; ++i) {
    if (i < kSpins) {
      pause();
    } else {
      std::this_thread::yield();  // another thread of the team has lost its core
    }
  }
}
