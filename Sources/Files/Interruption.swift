private import Glibc
import Synchronization

/// SIGINT, SIGTERM and SIGHUP: a run is told to stop, and if it cannot within a second, because it waits for input
/// that does not come, its temporary files are removed and the process ends.
public enum Interruption {
    private static let received = Atomic<Int32>(0)
    /// How long a run may take to stop, in seconds.
    private static let patience: UInt32 = 1

    private static let held = Atomic<Bool>(false)

    /// While it is, a run that was told to stop goes on: files are being put in their places.
    static var isHeld: Bool {
        get { held.load(ordering: .relaxed) }
        set { held.store(newValue, ordering: .relaxed) }
    }

    /// The signal that was received; 0 before that.
    public static var signal: Int32 { received.load(ordering: .relaxed) }

    /// Starts to listen. A broken pipe, or a file over its limit, is then an error of `write` and no longer the
    /// process's end.
    public static func watch() {
        // What a handler reads must be there before it: what is made on first use takes locks and memory.
        _ = (received.load(ordering: .relaxed), isHeld, patience)
        TemporaryFiles.prepare()
        install(SIGPIPE, SIG_IGN)
        install(SIGXFSZ, SIG_IGN)
        unblock()
        for number in [SIGINT, SIGTERM] + (isIgnored(SIGHUP) ? [] : [SIGHUP]) {
            install(number) { number in
                Interruption.received.store(number, ordering: .relaxed)
                alarm(Interruption.patience)
            }
        }
        install(SIGALRM) { _ in
            if Interruption.isHeld {
                alarm(Interruption.patience)
                return
            }
            TemporaryFiles.removeAll()
            _exit(128 + Interruption.signal)
        }
    }

    /// Whether whoever started us wants the signal ignored, as nohup(1) does.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        unsafe sigaction(number, nil, &action)
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    /// Whoever started us from a thread that blocks signals has handed that down.
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
