private import Glibc

/// What the system lets this process have.
public enum SystemLimits {
    /// How many files may be open at once: now, and at most if the process asks for more.
    public static var openFiles: (now: UInt64, most: UInt64) {
        guard let limit = limit(RLIMIT_NOFILE) else { return (0, 0) }
        return (UInt64(limit.rlim_cur), UInt64(limit.rlim_max))
    }

    /// Asks for so many files that may be open at once, or as many as the process may ask for; never for fewer than now.
    public static func raiseOpenFiles(to count: UInt64) {
        guard var limit = limit(RLIMIT_NOFILE), UInt64(limit.rlim_cur) < count else { return }
        limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// How many of the first thousand descriptors are open. A process that has just been started has no others.
    public static var openDescriptors: UInt64 {
        UInt64((0..<CInt(1000)).count { fcntl($0, F_GETFD) >= 0 })
    }

    /// How many more bytes the process may map, by its limits of address space (`ulimit -v`) and of data (`ulimit -d`);
    /// `nil` if there is no limit.
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

    /// Whether so many threads can be started besides those that there are. Starts them, and ends them again.
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

    /// How many bytes there is room for in a folder; `nil` if there is no such folder.
    public static func freeBytes(in folder: String) -> UInt64? {
        var status = statvfs()
        guard unsafe statvfs(folder, &status) == 0 else { return nil }
        return bytes(blocks: UInt64(status.f_bavail), of: UInt64(status.f_frsize))
    }

    /// Whoever writes a file system may make up its figures: too many bytes to count are as many as can be counted.
    static func bytes(blocks: UInt64, of size: UInt64) -> UInt64 {
        let (bytes, overflow) = blocks.multipliedReportingOverflow(by: size)
        return overflow ? .max : bytes
    }
}
