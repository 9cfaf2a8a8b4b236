package import Files

/// An error of a part of the program that uses databases. ``SQLiteConnection`` throws it, so that nobody translates.
package protocol DatabaseFailure: Error {
    /// The file is damaged, or not of this program.
    ///
    /// - Parameter path: the user's path.
    static func damaged(path: String, reason: String) -> Self
    /// The disk is full.
    static func full(path: String) -> Self
    /// Reading or writing it failed.
    static func storage(path: String, reason: String) -> Self
}

/// Reports are files like others, and their errors are those of files.
extension FileError: DatabaseFailure {
    package static func damaged(path: String, reason: String) -> FileError { storage(path: path, reason: reason) }
    package static func full(path: String) -> FileError { FileError(.write, path, code: SystemError.diskFull) }
    package static func storage(path: String, reason: String) -> FileError { FileError(.use, path, reason: reason) }
}
