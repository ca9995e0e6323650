// What the C library of emscripten makes up, asked of node.
#include <unistd.h>

extern "C" {
int flexslice_process_id();

pid_t getpid() { return flexslice_process_id(); }
}
