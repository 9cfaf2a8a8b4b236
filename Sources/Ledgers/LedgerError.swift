private import Encodings
internal import Files

/// Why a ledger cannot be used, and what can be done about it.
public enum LedgerError: Error, Equatable, Sendable {
    /// What a ledger and a run that wants it do not have in common.
    public enum Difference: String, Sendable {
        case trustAnchors = "with other trust anchors"
        case pseudonymKey = "with another pseudonym key"
        case pseudonyms = "with pseudonyms, which this run does not use"
        case noPseudonyms = "without pseudonyms, which this run uses"
    }

    /// Another run has it.
    case busy(path: String)
    /// What is in it cannot be what was written.
    case damaged(path: String, reason: String)
    /// It is some other file.
    case foreign(path: String)
    /// It was written by a later version of this program.
    case newer(path: String)
    /// What is in it cannot be compared with what this run finds.
    case otherOrigin(path: String, Difference)
    /// The system would not read or write it.
    case storage(path: String, reason: String)
}

extension LedgerError: CustomStringConvertible {
    /// For example: `another run is using state.db: wait for it to end, or give this one another --state file`.
    public var description: String {
        switch self {
        case .busy(let path):
            "another run is using \(TerminalText.escaped(path)): wait for it to end, or give this one another --state file"
        case .damaged(let path, let reason):
            """
            \(TerminalText.escaped(path)) is damaged (\(TerminalText.escaped(reason))): move it away, and the next run \
            makes it anew from the inputs
            """
        case .foreign(let path):
            "\(TerminalText.escaped(path)) is no ledger of audit, and is left as it is: name another --state file"
        case .newer(let path):
            """
            \(TerminalText.escaped(path)) was written by a newer version of audit: use that version, or another --state \
            file
            """
        case .otherOrigin(let path, let difference):
            """
            \(TerminalText.escaped(path)) was made \(difference.rawValue): what it remembers cannot be compared. Run as \
            before, or with another --state file
            """
        case .storage(let path, let reason):
            "could not use \(TerminalText.escaped(path)): \(TerminalText.escaped(reason))"
        }
    }
}

extension LedgerError {
    init(_ error: FileError) { self = .storage(path: error.path, reason: error.reason) }

    /// - Parameters:
    ///   - code: what SQLite returned, extended or not.
    ///   - message: what it says of that.
    init(sqlite code: Int32, _ message: String, path: String) {
        switch code & 0xff {
        // SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL
        case 5, 6, 15: self = .busy(path: path)
        // SQLITE_CORRUPT, SQLITE_NOTADB. All statements are constants that fit the tables: if SQLite cannot make sense of
        // one (SQLITE_ERROR, SQLITE_SCHEMA) or of a value (SQLITE_MISMATCH, SQLITE_CONSTRAINT), then the tables are not
        // what they were.
        case 11, 26, 1, 17, 19, 20: self = .damaged(path: path, reason: message)
        case 13: self = .storage(path: path, reason: "the disk is full")
        default: self = .storage(path: path, reason: message)
        }
    }
}
