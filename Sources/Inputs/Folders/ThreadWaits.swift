private import Glibc

/// How often this thread has given up its core to wait for something.
enum ThreadWaits {
    /// Voluntary context switches since the thread began (getrusage(2)): a read from the page cache makes none.
    static var count: Int {
        var usage = rusage()
        let thisThread: CInt = 1  // RUSAGE_THREAD, which Glibc keeps behind _GNU_SOURCE
        guard unsafe getrusage(thisThread, &usage) == 0 else { return 0 }
        return usage.ru_nvcsw
    }
}
