private import CLinux

/// How the C library's allocator is set for long runs.
enum Allocator {
    /// Gives large buffers back to the system when they are freed.
    ///
    /// Left to itself, glibc raises its limit for that with every large buffer it sees, until buffers of 32 MiB come from a
    /// heap that holes make grow: a million claims then took two thirds more memory than a hundred thousand.
    static func prepare() {
        mallopt(M_MMAP_THRESHOLD, 1 << 20)
        mallopt(M_TRIM_THRESHOLD, 4 << 20)
    }
}
