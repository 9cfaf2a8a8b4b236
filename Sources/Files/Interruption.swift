private import Glibc
import Synchronization

/// SIGINT, SIGTERM and SIGHUP, which ask a run to stop. If it has not stopped after a second, because it waits for
/// input that does not arrive, its temporary files are removed and the process exits.
///
/// A signal never ends a run that is publishing or has published its files, so the exit code shows whether reports
/// changed: 128 + signal means that none did.
public enum Interruption {
    private static let received = Atomic<Int32>(0)
    /// The time that a run has to stop, in seconds.
    private static let gracePeriod: UInt32 = 1

    /// The phase of publication, which decides the effect of a signal.
    private enum Phase {
        /// No file has been published: a signal may end the process.
        static let open: UInt8 = 0
        /// Files are being published: a signal waits for the end of that.
        static let publishing: UInt8 = 1
        /// Files have been published: signals are ignored.
        static let published: UInt8 = 2
        /// A signal handler is ending the process: nothing may be published anymore.
        static let ending: UInt8 = 3
    }

    private static let phase = Atomic<UInt8>(Phase.open)

    /// The last received signal; 0 before the first.
    public static var signal: Int32 { received.load(ordering: .relaxed) }

    /// Whether files have been published, so that signals are ignored.
    public static var isPastPublication: Bool { phase.load(ordering: .acquiring) == Phase.published }

    /// Gives a run that was stopped by a signal the same time again, to record its failure.
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

    /// Starts to handle signals. A broken pipe, or a file over its limit, then becomes an error of `write` instead of
    /// ending the process.
    public static func watch() {
        // Values read by a handler must exist before: lazy initialization takes locks and memory.
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

    /// Whether the parent process ignores the signal, like nohup(1).
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        unsafe sigaction(number, nil, &action)
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    /// Unblocks the signals: a parent process that starts us from a thread that blocks them passes that on.
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
