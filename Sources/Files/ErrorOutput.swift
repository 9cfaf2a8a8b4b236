private import Glibc

/// Standard error, and whether a person is looking at it.
public enum ErrorOutput {
    public static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// The terminal's width in columns; 80 where it is not known.
    public static var width: Int {
        var size = winsize()
        let isKnown = unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : 80
    }

    /// Writes text as it is. What cannot be written is lost: there is nobody left to tell.
    public static func write(_ text: String) {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let rest = bytes[written...]
            let count = unsafe rest.withUnsafeBufferPointer {
                unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            written += count
        }
    }

    /// Whether standard output is a terminal.
    public static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
}
