private import CLinux
import Engine
import Files

/// The resources that a command needs, which are checked before it starts: without a thread it would wait forever, and
/// without memory it would crash in the middle of the work.
struct Requirements {
    /// The number of threads that check receipts.
    let workers: Int
    /// The number of files to write.
    var files = 1
    /// The memory to sort in, in bytes.
    let memory: Int

    /// The number of files that may be open at the same time. Sorting may need more, which is then an error.
    ///
    /// Measured: 42 to 75 with one worker and 8 files, 112 with 16 workers, and 5 for each thread that reads when the
    /// disk is slow.
    var openFiles: UInt64 { UInt64(64 + 8 * workers + 12 * files + 5 * OrderedPipeline(workers: workers).readers) }

    /// The maximum to which the limit of open files is raised, if the system permits.
    private static let maxOpenFiles: UInt64 = 65_536

    /// The number of threads: workers, those that read when the disk is slow, and those of Dispatch.
    var threads: Int { workers + OrderedPipeline(workers: workers).readers + 3 }

    /// The address space in bytes that is needed after the start: stacks, the largest claims of each worker, and the
    /// memory to sort in.
    var addressSpace: UInt64 { UInt64(256 << 20) + UInt64(workers) * 64 << 20 + UInt64(memory) }

    /// Raises the limit of open files if necessary, and throws if a resource is missing.
    func check() throws(CommandError) {
        let isFewer = workers == 1 ? "1 worker" : "\(workers) workers"
        let needed = openFiles + SystemLimits.openDescriptors
        SystemLimits.raiseOpenFiles(to: Self.maxOpenFiles)
        if case let now = SystemLimits.openFiles.now, now < needed {
            throw CommandError(
                "with \(isFewer), \(needed) files may be open at once, and the limit is \(now): "
                    + "raise it (ulimit -n \(needed)), or give fewer --workers")
        }
        if let left = SystemLimits.freeAddressSpace, left < addressSpace {
            throw CommandError(
                "with \(isFewer) and \(memory >> 20) MiB to sort in, \(addressSpace >> 20) MiB may be "
                    + "needed, and the limit leaves \(left >> 20) MiB: raise it (ulimit -v, ulimit -d), or give less "
                    + "--memory or fewer --workers")
        }
        guard SystemLimits.canStartThreads(threads) else {
            throw CommandError(
                "with \(isFewer), \(threads) threads are needed, and the system does not start that many: "
                    + "raise the limit (ulimit -u, TasksMax=, pids.max), or give fewer --workers")
        }
    }

    /// The address space in bytes that every command needs, even one that reads a single receipt.
    private static let minAddressSpace: UInt64 = 128 << 20

    /// The missing resource without which no command can run; `nil` if there is none. Reads the command line from
    /// `/proc`.
    static var missingForAll: CommandError? {
        if CommandLine.arguments.isEmpty {
            return CommandError(
                "/proc is not mounted, and the command line is read from it: mount it first")
        }
        guard let left = SystemLimits.freeAddressSpace, left < minAddressSpace else { return nil }
        return CommandError(
            "\(minAddressSpace >> 20) MiB may be needed, and the limit leaves \(left >> 20) MiB: "
                + "raise it (ulimit -v, ulimit -d)")
    }
}

/// The settings of the C library's allocator for long runs.
enum Allocator {
    /// Returns large buffers to the system when they are freed.
    ///
    /// By default, glibc raises its threshold for that with every large buffer, until buffers of 32 MiB come from a
    /// heap that fragments. A million claims then took two thirds more memory than a hundred thousand.
    static func prepare() {
        mallopt(M_MMAP_THRESHOLD, 1 << 20)
        mallopt(M_TRIM_THRESHOLD, 4 << 20)
    }
}
