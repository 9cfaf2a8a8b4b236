private import Glibc
import Synchronization

/// SIGINT, SIGTERM and SIGHUP: they ask a run to stop. If it has not stopped after a second, because it waits for input
/// that does not come, its temporary files are removed and the process exits.
///
/// A signal never ends a run that publishes its files or has published them, so that the exit code tells whether
/// reports changed: 128 + signal means that none did.
public enum Interruption {
    private static let received = Atomic<Int32>(0)
    /// How long a run may take to stop, in seconds.
    private static let gracePeriod: UInt32 = 1

    /// How far the process is with publishing files, which decides what a signal may still do.
    private enum Phase {
        /// No file has been published: a signal may end the process.
        static let open: UInt8 = 0
        /// Files are being published: the end of that is waited for.
        static let publishing: UInt8 = 1
        /// Files have been published: signals are ignored.
        static let published: UInt8 = 2
        /// A signal handler is ending the process: nothing may be published any more.
        static let ending: UInt8 = 3
    }

    private static let phase = Atomic<UInt8>(Phase.open)

    /// The signal that was received last; 0 before the first.
    public static var signal: Int32 { received.load(ordering: .relaxed) }

    /// Whether files have been published, after which signals are ignored.
    public static var isPastPublication: Bool { phase.load(ordering: .acquiring) == Phase.published }

    /// Gives a run that a signal stopped, and that leaves word of it, as long as it had to stop.
    public static func grantTime() { alarm(gracePeriod) }

    /// Keeps signals from ending the process until ``endPublication(_:)``. Does not return if one is ending it now.
    static func beginPublication() {
        let phases = phase.compareExchange(
            expected: Phase.open, desired: Phase.publishing, ordering: .acquiringAndReleasing)
        while phases.original == Phase.ending { pause() }
    }

    /// Ends what ``beginPublication()`` began.
    ///
    /// - Parameter succeeded: whether the files are published. If not, signals can end the process again.
    static func endPublication(_ succeeded: Bool) {
        _ = phase.compareExchange(
            expected: Phase.publishing, desired: succeeded ? Phase.published : Phase.open,
            ordering: .acquiringAndReleasing)
    }

    /// Starts to listen. A broken pipe, or a file over its limit, is then an error of `write` and no longer the
    /// process's end.
    public static func watch() {
        // What a handler reads must be there before it: what is made on first use takes locks and memory.
        _ = (received.load(ordering: .relaxed), phase.load(ordering: .relaxed), gracePeriod)
        TemporaryFiles.prepare()
        install(SIGPIPE, SIG_IGN)
        install(SIGXFSZ, SIG_IGN)
        unblock()
        for number in [SIGINT, SIGTERM] + (isIgnored(SIGHUP) ? [] : [SIGHUP]) {
            install(number) { number in
                Interruption.received.store(number, ordering: .relaxed)
                alarm(Interruption.gracePeriod)
            }
        }
        install(SIGALRM) { _ in
            let phase = Interruption.phase.compareExchange(
                expected: Phase.open, desired: Phase.ending, ordering: .acquiringAndReleasing
            ).original
            switch phase {
            case Phase.open:
                TemporaryFiles.deleteAll()
                _exit(128 + Interruption.signal)
            case Phase.publishing: alarm(Interruption.gracePeriod)
            default: break
            }
        }
    }

    /// Whether the parent process wants the signal ignored, as nohup(1) does.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        unsafe sigaction(number, nil, &action)
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    /// Unblocks the signals, which a parent process that starts us from a thread that blocks them hands down.
    private static func unblock() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGALRM] { unsafe sigaddset(&signals, number) }
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    private static func install(_ number: Int32, _ handler: (@convention(c) (Int32) -> Void)?) {
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = handler
        unsafe sigaction(number, &action, nil)
    }
}
