// Memory between guards: a kernel that writes past the end of it is stopped at the very instruction.
//
// The data ends at a page that cannot be touched (alignment leaves at most 15 bytes between them); the bytes before
// and behind hold a pattern that is compared when the memory is freed. The data holds it as well: fresh memory of the
// system is zero, which would hide that a kernel leaves elements out or adds to what was there.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace opstudio::host {

class GuardedMemory {
 public:
  explicit GuardedMemory(size_t bytes) : bytes_(bytes), page_(static_cast<size_t>(sysconf(_SC_PAGESIZE))) {
    body_ = (bytes + page_ - 1) / page_ * page_ + page_;
    void* mapped = mmap(nullptr, body_ + page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    base_ = mapped == MAP_FAILED ? nullptr : static_cast<unsigned char*>(mapped);
    if (base_ == nullptr) return;
    mprotect(base_ + body_, page_, PROT_NONE);
    data_ = base_ + body_ - (bytes + kAlignment - 1) / kAlignment * kAlignment;
    std::memset(data_ - kMargin, kPattern, kMargin + static_cast<size_t>(base_ + body_ - data_));
  }

  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  ~GuardedMemory() {
    if (base_ == nullptr) return;
    if (is_damaged(data_ - kMargin, kMargin)) stop("before");
    if (is_damaged(data_ + bytes_, static_cast<size_t>(base_ + body_ - (data_ + bytes_)))) stop("behind");
    munmap(base_, body_ + page_);
  }

  // The data, or null when there is no memory left.
  void* data() const { return data_; }

  // From now on, a write to the data stops the process.
  void make_read_only() const {
    if (base_ != nullptr) mprotect(base_, body_, PROT_READ);
  }

 private:
  static constexpr size_t kAlignment = 16;
  static constexpr size_t kMargin = 64;
  static constexpr unsigned char kPattern = 0xFB;  // a finite number in every floating type

  static bool is_damaged(const unsigned char* start, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      if (start[i] != kPattern) return true;
    }
    return false;
  }

  [[noreturn]] static void stop(const char* where) {
    std::fprintf(stderr, "opstudio: the kernel changed memory %s its output\n", where);
    std::abort();
  }

  size_t bytes_;
  size_t page_;
  size_t body_ = 0;
  unsigned char* base_ = nullptr;
  unsigned char* data_ = nullptr;
};

}  // namespace opstudio::host
