/// A file or folder that a person named: as it was written, and where it is.
///
/// The two differ in a job file, whose paths are relative to its own folder. Reports hold what was written, so that
/// they are the same wherever the job is started from.
public struct GivenPath: Sendable, Equatable {
    public var written: String
    public var path: String

    public init(_ written: String) { self.init(written, at: written) }

    public init(_ written: String, at path: String) {
        self.written = written
        self.path = path
    }

    /// A path that is relative to a folder: what is absolute, or `-`, stays.
    ///
    /// - Parameter folder: without a slash at its end; empty for the current one.
    public init(_ written: String, in folder: String) {
        let isRelative = !written.hasPrefix("/") && written != "-" && !folder.isEmpty
        self.init(written, at: isRelative ? (folder == "/" ? "/" : folder + "/") + written : written)
    }
}
