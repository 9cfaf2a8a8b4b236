private import Glibc

/// Standard input, output and error, one of which whoever started us may have closed.
public enum StandardStreams {
    /// Keeps their numbers from being given to files of ours, which would then be read or written in their place. What was closed
    /// stays an error: a closed standard output cannot be written.
    public static func reserve() {
        for (number, way) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDWR)] {
            // The least number that is free is given.
            if fcntl(number, F_GETFD) < 0, errno == EBADF { _ = unsafe open("/dev/null", way) }
        }
    }
}
