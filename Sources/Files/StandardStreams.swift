private import Glibc

/// Standard input, output and error, which may be closed when the process starts.
public enum StandardStreams {
    /// Whether standard input is a terminal.
    public static var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Prevents the numbers of closed streams from being reused for other files, which would then be read or written
    /// instead. A closed stream stays an error: a closed standard output cannot be written.
    public static func reserve() {
        for (number, access) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDWR)] {
            // The system assigns the smallest free number.
            if fcntl(number, F_GETFD) < 0, errno == EBADF { _ = unsafe open("/dev/null", access) }
        }
    }
}

/// Standard error, and whether it is a terminal.
public enum StandardError {
    public static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether standard output is a terminal.
    public static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// The terminal's width in columns; 80 where it is not known.
    public static var width: Int {
        var size = winsize()
        let isKnown = unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : 80
    }

    /// Writes text unchanged. Errors are ignored, because there is nobody to report them to.
    public static func write(_ text: String) {
        let bytes = Array(text.utf8)
        unsafe try? FileDescriptor(standard: STDERR_FILENO).write(bytes.span.bytes)
    }
}
