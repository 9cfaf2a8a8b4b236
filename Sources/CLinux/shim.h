// Linux, where the C library has no function or Swift cannot import it.
#pragma once
#include <sys/vfs.h>
#include <errno.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <sys/syscall.h>
#include <unistd.h>

// glibc has no wrapper for openat2(2), and `syscall` is variadic, which Swift cannot call.
static inline int audit_openat2(int folder, const char *path, unsigned long long flags, unsigned long long resolve) {
    struct open_how how = {.flags = flags, .mode = 0, .resolve = resolve};
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

// glibc declares it under _GNU_SOURCE only. Unlike strerror it is the same in every locale, and in every thread.
extern const char *strerrordesc_np(int code);

#define AUDIT_AT_FDCWD -100  // as <fcntl.h> has it

// Both names change places (RENAME_EXCHANGE), or the new one must be free (RENAME_NOREPLACE): renameat2(2), which glibc
// declares under _GNU_SOURCE only.
static inline int audit_exchange(const char *one, const char *other) {
    return (int)syscall(SYS_renameat2, AUDIT_AT_FDCWD, one, AUDIT_AT_FDCWD, other, RENAME_EXCHANGE);
}

static inline int audit_move(const char *from, const char *to) {
    return (int)syscall(SYS_renameat2, AUDIT_AT_FDCWD, from, AUDIT_AT_FDCWD, to, RENAME_NOREPLACE);
}

// Makes a hole in a file, whose length stays: fallocate(2), which glibc declares under _GNU_SOURCE only.
static inline void audit_release(int file, off_t start, off_t count) {
    syscall(SYS_fallocate, file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, start, count);
}

// Begins to write a part of a file to disk, without waiting for it: sync_file_range(2), which glibc declares under
// _GNU_SOURCE only. Where the file system cannot, fsync(2) has more to do.
static inline void audit_begin_sync(int file, off_t start, off_t count) {
    syscall(SYS_sync_file_range, file, start, count, SYNC_FILE_RANGE_WRITE);
}

// The bit that makes O_DIRECTORY the O_TMPFILE of open(2), a file without a name (asm-generic/fcntl.h; <fcntl.h> would
// declare `stat` again).
#define AUDIT_O_TMPFILE 020000000
