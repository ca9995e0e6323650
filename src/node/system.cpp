// Asks node for what emscripten's C library makes up, and uses glibc's words where they differ.
#include <unistd.h>

#include <cerrno>

extern "C" {
int flexslice_process_id();

pid_t getpid() { return flexslice_process_id(); }

char* __real_strerror(int error);  // NOLINT: the linker's name

char* __wrap_strerror(int error) {  // NOLINT: the linker's name
  static char io[] = "Input/output error", links[] = "Too many levels of symbolic links";
  static char length[] = "File name too long";
  switch (error) {
    case EIO:
      return io;
    case ELOOP:
      return links;
    case ENAMETOOLONG:
      return length;
    default:
      return __real_strerror(error);
  }
}
}
