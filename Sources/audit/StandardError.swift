import Glibc

/// The standard error stream, for what people read and scripts do not.
enum StandardError {
    /// Whether a person is likely to be reading.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    static func write(_ text: String) {
        let bytes = Array(text.utf8)
        // Nobody can be told that standard error is closed.
        _ = unsafe Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
