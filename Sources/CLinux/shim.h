// Linux, where the C library has no function or Swift cannot import it.
#pragma once
#include <errno.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

// glibc has no wrapper for openat2(2), and `syscall` is variadic, which Swift cannot call.
static inline int audit_openat2(int folder, const char *path, unsigned long long flags, unsigned long long resolve) {
    struct open_how how = {.flags = flags, .mode = 0, .resolve = resolve};
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

// glibc declares it under _GNU_SOURCE only. Unlike strerror it is the same in every locale, and in every thread.
extern const char *strerrordesc_np(int code);
