import Engine

/// The reason why lines cannot be processed. A claim is never the reason, because `audit map` writes the lines.
public enum StreamError: Error, Equatable, CustomStringConvertible {
    /// The line was written by another version of this program.
    case otherVersion(line: Int)
    /// The line was damaged in transport.
    case malformed(line: Int, reason: String)
    /// Parts of the summary come from runs with other settings.
    case otherSettings(line: Int)
    /// Lines of the run are missing, duplicated or changed.
    case incomplete(reason: String)

    public var description: String {
        switch self {
        case .otherVersion(let line):
            """
            line \(line) was written by another version of audit: use one version for all steps
            """
        case .malformed(let line, let reason): "line \(line) is not one that audit writes: \(reason)"
        case .otherSettings(let line):
            """
            line \(line) comes from a run with another policy, other roots or another --as-of: give all steps \
            the same
            """
        case .incomplete(let reason): "the lines of this run are not complete: \(reason)"
        }
    }
}

extension LineFault {
    func error(at line: Int) -> StreamError {
        switch self {
        case .otherVersion: .otherVersion(line: line)
        case .otherSettings: .otherSettings(line: line)
        case .malformed(let reason): .malformed(line: line, reason: reason)
        case .incomplete(let reason): .incomplete(reason: reason)
        }
    }
}
