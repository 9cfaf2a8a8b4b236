private import Glibc

/// The limits of this process.
public enum SystemLimits {
    /// The number of files that may be open at the same time: the current limit and the maximum.
    public static var openFiles: (now: UInt64, most: UInt64) {
        guard let limit = limit(RLIMIT_NOFILE) else { return (0, 0) }
        return (UInt64(limit.rlim_cur), UInt64(limit.rlim_max))
    }

    /// Raises the limit of open files, as far as the process may; never lowers it.
    public static func raiseOpenFiles(to count: UInt64) {
        guard var limit = limit(RLIMIT_NOFILE), UInt64(limit.rlim_cur) < count else { return }
        limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// The number of open descriptors among the first thousand. A newly started process has no others.
    public static var openDescriptors: UInt64 {
        UInt64((0..<CInt(1000)).count { fcntl($0, F_GETFD) >= 0 })
    }

    /// The number of bytes that the process may still map, according to its limits of address space (`ulimit -v`) and
    /// of data (`ulimit -d`); `nil` if there is no limit.
    public static var freeAddressSpace: UInt64? {
        let limits = [(RLIMIT_AS, 0), (RLIMIT_DATA, 5)].compactMap { resource, field in
            limit(resource).map { (UInt64($0.rlim_cur), field) }
        }.filter { $0.0 < UInt64(Int64.max) }
        guard !limits.isEmpty else { return nil }
        // In pages: size, resident, shared, text, lib, data (proc(5)).
        let text = (try? FileContents.bytes(of: "/proc/self/statm", limit: 200)) ?? []
        let pages = text.split(separator: UInt8(ascii: " ")).map { UInt64(String(decoding: $0, as: UTF8.self)) ?? 0 }
        let pageSize = UInt64(max(1, sysconf(CInt(_SC_PAGESIZE))))
        return limits.map { limit, field in
            limit - min(limit, field < pages.count ? bytes(blocks: pages[field], of: pageSize) : 0)
        }.min()
    }

    /// Whether a number of further threads can be started. Starts them, and ends them again.
    public static func canStartThreads(_ count: Int) -> Bool {
        // They wait for a lock until all are started.
        let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        defer { unsafe gate.deallocate() }
        unsafe gate.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_lock(gate)
        var threads: [pthread_t] = []
        for _ in 0..<count {
            var thread = pthread_t()
            let code = unsafe pthread_create(
                &thread, nil,
                { gate in
                    let gate = unsafe gate?.assumingMemoryBound(to: pthread_mutex_t.self)
                    if let gate = unsafe gate {
                        unsafe pthread_mutex_lock(gate)
                        unsafe pthread_mutex_unlock(gate)
                    }
                    return nil
                }, gate)
            guard code == 0 else { break }
            threads.append(thread)
        }
        unsafe pthread_mutex_unlock(gate)
        for thread in threads { pthread_join(thread, nil) }
        unsafe pthread_mutex_destroy(gate)
        return threads.count == count
    }

    private static func limit(_ resource: __rlimit_resource) -> rlimit? {
        var limit = rlimit()
        return unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 ? limit : nil
    }

    /// The number of voluntary context switches since this thread began (getrusage(2)): how often it has waited for
    /// something. A read from the page cache causes none.
    package static var threadWaits: Int {
        var usage = rusage()
        let thisThread: CInt = 1  // RUSAGE_THREAD, which Glibc declares under _GNU_SOURCE only
        guard unsafe getrusage(thisThread, &usage) == 0 else { return 0 }
        return usage.ru_nvcsw
    }

    /// Returns the number of free bytes in a folder; `nil` if there is no such folder.
    public static func freeBytes(in folder: String) -> UInt64? {
        var status = statvfs()
        guard unsafe statvfs(folder, &status) == 0 else { return nil }
        return bytes(blocks: UInt64(status.f_bavail), of: UInt64(status.f_frsize))
    }

    /// Returns the product, clamped: a file system may report arbitrary figures.
    static func bytes(blocks: UInt64, of size: UInt64) -> UInt64 {
        let (bytes, overflow) = blocks.multipliedReportingOverflow(by: size)
        return overflow ? .max : bytes
    }
}
