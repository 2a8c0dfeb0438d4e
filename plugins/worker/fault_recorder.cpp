// Records how a worker process ends, in memory that it shares with the studio.
//
// A crash of a kernel writes the signal, the address and the call stack into the page before the process dies; so does
// a call of exit(), which would otherwise end the process without a word. On SIGUSR2 a thread records where it is, so
// that a loop without end can be told by its line. The layout of the page is that of app/opstudio/worker/fault_page.py.
#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace {

constexpr int kFrames = 48;
constexpr int kSamples = 16;
constexpr int kExitCode = 86;  // "the kernel called exit()"; app/opstudio/worker/fault_page.py knows it
constexpr size_t kStackBytes = 128 * 1024;

struct Trace {
  uint64_t count;
  uint64_t addresses[kFrames];
};

enum Kind : int32_t { kNone = 0, kSignal = 1, kStackOverflow = 2, kExit = 3 };

struct Page {
  int32_t kind;
  int32_t signal;
  uint64_t address;  // what the instruction touched
  Trace trace;
  uint64_t sample_count;
  Trace samples[kSamples];
};

Page* page = nullptr;
std::atomic<pid_t> recorder{0};  // the thread that writes the page, the first that fails

// Whether the calling thread is the one to write the page.
bool becomes_recorder() {
  pid_t nobody = 0;
  return recorder.compare_exchange_strong(nobody, static_cast<pid_t>(syscall(SYS_gettid)));
}

// Lets another thread finish writing: it ends the process. Threads of a pool fail together.
void wait_for_recorder() {
  if (recorder.load() == static_cast<pid_t>(syscall(SYS_gettid))) return;  // it failed while writing
  const timespec longest{2, 0};
  nanosleep(&longest, nullptr);
}

thread_local void* alternate_stack = nullptr;

void record_trace(Trace& trace, void* interrupted) {
  void* frames[kFrames];
  const int count = backtrace(frames, kFrames);
  // The instruction itself comes first: unwinding from a handler may start behind it. The others are return addresses;
  // the byte before one belongs to the call.
  uint64_t used = 0;
  if (interrupted != nullptr) trace.addresses[used++] = reinterpret_cast<uint64_t>(interrupted);
  for (int i = 0; i < count && used < kFrames; ++i) trace.addresses[used++] = reinterpret_cast<uint64_t>(frames[i]) - 1;
  trace.count = used;
}

uint64_t stack_pointer(const ucontext_t& context) {
#if defined(__x86_64__)
  return static_cast<uint64_t>(context.uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return context.uc_mcontext.sp;
#else
  return 0;
#endif
}

void* instruction(const ucontext_t& context) {
#if defined(__x86_64__)
  return reinterpret_cast<void*>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<void*>(context.uc_mcontext.pc);
#else
  return nullptr;
#endif
}

void on_crash(int number, siginfo_t* info, void* raw) {
  const auto& context = *static_cast<ucontext_t*>(raw);
  if (becomes_recorder()) {
    const uint64_t address = reinterpret_cast<uint64_t>(info->si_addr);
    const uint64_t stack = stack_pointer(context);
    // A stack that ran out is touched just below its pointer.
    const bool overflow = number == SIGSEGV && stack != 0 && address + 65536 > stack && address < stack + 4096;
    page->signal = number;
    page->address = number == SIGSEGV || number == SIGBUS ? address : 0;
    record_trace(page->trace, instruction(context));
    page->kind = overflow ? kStackOverflow : kSignal;
  } else {
    wait_for_recorder();
  }
  signal(number, SIG_DFL);
  raise(number);
}

void on_sample(int, siginfo_t*, void* raw) {
  static std::atomic<uint64_t> next{0};
  const uint64_t index = next.fetch_add(1);
  if (index >= kSamples) return;
  record_trace(page->samples[index], instruction(*static_cast<ucontext_t*>(raw)));
  __atomic_fetch_add(&page->sample_count, 1, __ATOMIC_RELEASE);
}

void on_exit_called() {
  if (!becomes_recorder()) return;
  record_trace(page->trace, nullptr);
  page->kind = kExit;
  _exit(kExitCode);
}

void handle(int number, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action;
  std::memset(&action, 0, sizeof action);
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

}  // namespace

// Gives the calling thread a stack to handle an overflow of its own. Cheap when called again.
extern "C" __attribute__((visibility("default"))) void opstudio_enter_thread() {
  if (alternate_stack != nullptr) return;
  alternate_stack = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (alternate_stack == MAP_FAILED) return;
  stack_t stack;
  std::memset(&stack, 0, sizeof stack);
  stack.ss_sp = alternate_stack;
  stack.ss_size = kStackBytes;
  sigaltstack(&stack, nullptr);
}

// Starts recording into a shared page of opstudio_fault_page_size() bytes, which is zero.
extern "C" __attribute__((visibility("default"))) void opstudio_record_faults(void* shared) {
  page = static_cast<Page*>(shared);
  void* frames[1];
  backtrace(frames, 1);  // loads what unwinding needs, while that is still safe
  opstudio_enter_thread();
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) handle(number, on_crash);
  handle(SIGUSR2, on_sample);
  atexit(on_exit_called);
}

extern "C" __attribute__((visibility("default"))) uint64_t opstudio_fault_page_size() { return sizeof(Page); }

// Where a library is mapped, so that addresses can be told in terms of its file. Null when nothing is there.
extern "C" __attribute__((visibility("default"))) void* opstudio_library_base(const void* address) {
  Dl_info info;
  return dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}
