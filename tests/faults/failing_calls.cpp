// Makes one call of the program fail, for failing_calls_test.py, which loads this library with
// LD_PRELOAD. ESPALIER_FAIL is "malloc 7" (the seventh allocation fails) or "malloc 7 on" (all from
// the seventh on). Without it nothing fails. Calls count from main() on; their numbers are written
// to the file that ESPALIER_CALLS names.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

struct Call {
  const char* name;
  int reason;  ///< errno when it fails
  std::atomic<long> count = 0;
};

Call allocation{"malloc", ENOMEM};
Call opening{"open", EMFILE};
Call reading{"read", EIO};
Call writing{"write", ENOSPC};
Call syncing{"fsync", EIO};
Call closing{"close", EIO};
Call linking{"link", EACCES};
Call renaming{"rename", EACCES};
Call mapping{"mmap", ENOMEM};
Call threading{"thread", EAGAIN};
Call* const calls[] = {&allocation, &opening, &reading,  &writing, &syncing,
                       &closing,    &linking, &renaming, &mapping, &threading};

bool in_main = false;
char failing[16] = "";
long first = 0;
char beyond[3] = "";  // "on" if all calls from `first` on fail

/// Counts a call; whether it must fail.
bool fails(Call& call) {
  if (!in_main) return false;
  const long number = ++call.count;
  if (std::strcmp(call.name, failing) != 0) return false;
  if (number != first && (beyond[0] == '\0' || number < first)) return false;
  errno = call.reason;
  return true;
}

/// The function that this library stands in front of.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

int (*program)(int, char**, char**) = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  const char* const fault = std::getenv("ESPALIER_FAIL");
  if (fault != nullptr && std::sscanf(fault, "%15s %ld %2s", failing, &first, beyond) < 2) abort();
  in_main = true;
  const int code = program(argc, argv, environment);
  in_main = false;
  if (const char* const path = std::getenv("ESPALIER_CALLS")) {
    FILE* const file = std::fopen(path, "w");
    for (const Call* const call : calls)
      std::fprintf(file, "%s %ld\n", call->name, call->count.load());
    std::fclose(file);
  }
  return code;
}

}  // namespace

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                      void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  program = main;
  return next<decltype(__libc_start_main)>("__libc_start_main")(counted_main, argc, argv, init,
                                                                fini, rtld_fini, stack_end);
}

void* malloc(std::size_t size) { return fails(allocation) ? nullptr : __libc_malloc(size); }

void* calloc(std::size_t count, std::size_t size) {
  return fails(allocation) ? nullptr : __libc_calloc(count, size);
}

void* realloc(void* old, std::size_t size) {
  return fails(allocation) ? nullptr : __libc_realloc(old, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return fails(allocation) ? nullptr : __libc_memalign(alignment, size);
}

int open(const char* path, int flags, ...) {
  static auto* const real = next<decltype(open)>("open");
  va_list more;
  va_start(more, flags);
  const unsigned mode = va_arg(more, unsigned);  // whatever it is, if there is none
  va_end(more);
  return fails(opening) ? -1 : real(path, flags, mode);
}

ssize_t read(int descriptor, void* to, std::size_t size) {
  static auto* const real = next<decltype(read)>("read");
  return fails(reading) ? -1 : real(descriptor, to, size);
}

ssize_t pread(int descriptor, void* to, std::size_t size, off_t at) {
  static auto* const real = next<decltype(pread)>("pread");
  return fails(reading) ? -1 : real(descriptor, to, size, at);
}

ssize_t write(int descriptor, const void* from, std::size_t size) {
  static auto* const real = next<decltype(write)>("write");
  return fails(writing) ? -1 : real(descriptor, from, size);
}

ssize_t pwrite(int descriptor, const void* from, std::size_t size, off_t at) {
  static auto* const real = next<decltype(pwrite)>("pwrite");
  return fails(writing) ? -1 : real(descriptor, from, size, at);
}

int ftruncate(int descriptor, off_t size) noexcept {
  static auto* const real = next<int(int, off_t)>("ftruncate");
  return fails(writing) ? -1 : real(descriptor, size);
}

int fsync(int descriptor) {
  static auto* const real = next<decltype(fsync)>("fsync");
  return fails(syncing) ? -1 : real(descriptor);
}

int close(int descriptor) {  // the descriptor is closed even if that fails
  static auto* const real = next<decltype(close)>("close");
  const bool failed = fails(closing);
  const int reason = errno;
  const int code = real(descriptor);
  if (!failed) return code;
  errno = reason;
  return -1;
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  static auto* const real = next<int(int, const char*, int, const char*, int)>("linkat");
  return fails(linking) ? -1 : real(from_folder, from, to_folder, to, flags);
}

int rename(const char* from, const char* to) noexcept {
  static auto* const real = next<int(const char*, const char*)>("rename");
  return fails(renaming) ? -1 : real(from, to);
}

void* mmap(void* at, std::size_t size, int access, int flags, int descriptor,
           off_t offset) noexcept {
  static auto* const real = next<void*(void*, std::size_t, int, int, int, off_t)>("mmap");
  return fails(mapping) ? MAP_FAILED : real(at, size, access, flags, descriptor, offset);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) noexcept {
  using Start = void* (*)(void*);
  static auto* const real =
      next<int(pthread_t*, const pthread_attr_t*, Start, void*)>("pthread_create");
  return fails(threading) ? EAGAIN : real(thread, attributes, start, argument);
}

}  // extern "C"
