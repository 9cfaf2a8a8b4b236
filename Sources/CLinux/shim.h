// System calls that Swift cannot make: syscall(2) takes variable arguments, and glibc has no openat2.
#pragma once
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

// Opens a path below a folder. RESOLVE_BENEATH refuses whatever leads out of it: absolute paths, `..` and
// symbolic links alike (openat2(2), Linux 5.6).
static inline int open_beneath(int folder, const char *path, unsigned long long flags) {
    struct open_how how = {.flags = flags, .mode = 0, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

// O_PATH, which fcntl.h keeps behind _GNU_SOURCE: finds a file without opening it.
static const int O_PATH_flag = 010000000;
