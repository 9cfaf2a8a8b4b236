private import CLinux
import Engine
import Files

/// What a command needs of the system besides its inputs. It is checked before the command starts: for want of a thread it
/// would wait for ever, for want of memory it would crash, and in the middle of the work.
struct Requirements {
    /// How many threads are to work.
    let workers: Int
    /// How many files are to be written.
    var files = 1
    /// How many bytes are to be sorted in memory.
    let memory: Int

    /// How many files may be open at once. Of what is sorted in files there may be more, which is then an error.
    ///
    /// Measured: 42 to 75 with one worker and 8 files, 112 with 16 workers, and 5 for each thread that reads when the disk
    /// is slow.
    var openFiles: UInt64 { UInt64(64 + 8 * workers + 12 * files + 5 * OrderedPipeline(workers: workers).readers) }

    /// The limit of open files that is asked for, if the system allows so many.
    private static let maxOpenFiles: UInt64 = 65_536

    /// Workers, those that read when the disk is slow, and what Dispatch starts for itself.
    var threads: Int { workers + OrderedPipeline(workers: workers).readers + 3 }

    /// How many bytes of address space are needed besides what a process has when it starts: stacks, what a worker holds of
    /// the largest claims, and what is sorted in memory.
    var addressSpace: UInt64 { UInt64(256 << 20) + UInt64(workers) * 64 << 20 + UInt64(memory) }

    /// Something that is missing, and what can be done about it.
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    /// Raises the limit of open files if need be, and throws if anything is missing all the same.
    func check() throws(Missing) {
        let isFewer = workers == 1 ? "1 worker" : "\(workers) workers"
        let needed = openFiles + SystemLimits.openDescriptors
        SystemLimits.raiseOpenFiles(to: Self.maxOpenFiles)
        if case let now = SystemLimits.openFiles.now, now < needed {
            throw Missing(
                description: "with \(isFewer), \(needed) files may be open at once, and the limit is \(now): "
                    + "raise it (ulimit -n \(needed)), or give fewer --workers")
        }
        if let left = SystemLimits.freeAddressSpace, left < addressSpace {
            throw Missing(
                description: "with \(isFewer) and \(memory >> 20) MiB to sort in, \(addressSpace >> 20) MiB may be "
                    + "needed, and the limit leaves \(left >> 20) MiB: raise it (ulimit -v, ulimit -d), or give less "
                    + "--memory or fewer --workers")
        }
        guard SystemLimits.canStartThreads(threads) else {
            throw Missing(
                description: "with \(isFewer), \(threads) threads are needed, and the system does not start so many: "
                    + "raise the limit (ulimit -u, TasksMax=, pids.max), or give fewer --workers")
        }
    }

    /// What every command needs, even one that reads a single receipt, in bytes of address space.
    private static let minAddressSpace: UInt64 = 128 << 20

    /// Why no command can do anything, if none can. The command line is known from `/proc` alone.
    static var missingForAll: Missing? {
        if CommandLine.arguments.isEmpty {
            return Missing(
                description: "/proc is not mounted, without which the command line is not known: mount it first")
        }
        guard let left = SystemLimits.freeAddressSpace, left < minAddressSpace else { return nil }
        return Missing(
            description: "\(minAddressSpace >> 20) MiB may be needed, and the limit leaves \(left >> 20) MiB: "
                + "raise it (ulimit -v, ulimit -d)")
    }
}

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
