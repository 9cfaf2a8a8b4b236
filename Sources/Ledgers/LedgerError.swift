private import Encodings
internal import Files

/// The reason why a ledger cannot be used, with what to do about it.
public enum LedgerError: Error, Equatable, Sendable {
    /// The difference between the origins of a ledger and of a run.
    public enum Difference: String, Sendable {
        case trustAnchors = "with trust anchors that this run does not have"
        case pseudonymKey = "with another pseudonym key"
        case pseudonyms = "with pseudonyms, which this run does not use"
        case noPseudonyms = "without pseudonyms, which this run uses"
    }

    /// Another run has locked it.
    case busy(path: String)
    /// A checksum does not match, or SQLite finds the file corrupted.
    case damaged(path: String, reason: String)
    /// The file is not a ledger.
    case foreign(path: String)
    /// A newer version of this program wrote it.
    case newer(path: String)
    /// An earlier version of this program wrote it, in a format that this one does not read.
    case older(path: String)
    /// It was made with trust anchors that the run does not have, or with another pseudonym key.
    case otherOrigin(path: String, Difference)
    /// Reading or writing it failed.
    case storage(path: String, reason: String)
}

extension LedgerError: CustomStringConvertible {
    /// For example: `another run is using state.db: wait for it to end, or give this one another --state file`.
    public var description: String {
        switch self {
        case .busy(let path):
            """
            another run is using \(TerminalText.escaped(path)): wait for it to end, or give this one another --state \
            file
            """
        case .damaged(let path, let reason):
            """
            \(TerminalText.escaped(path)) is damaged (\(TerminalText.escaped(reason))): the next run makes a new one of \
            all that can be read
            """
        case .foreign(let path):
            "\(TerminalText.escaped(path)) is not a ledger of audit and was left unchanged: use another --state file"
        case .newer(let path):
            """
            \(TerminalText.escaped(path)) was written by a newer version of audit: use that version, or another \
            --state file
            """
        case .older(let path):
            """
            \(TerminalText.escaped(path)) has an older format, of an earlier version of audit, and was left unchanged: \
            move it away, and the next run begins a new one; `audit review --import` of the last fraud report keeps its \
            reviews
            """
        case .otherOrigin(let path, let difference):
            """
            \(TerminalText.escaped(path)) was made \(difference.rawValue): its contents cannot be compared. \
            Run as before, or with another --state file
            """
        case .storage(let path, let reason):
            "could not use \(TerminalText.escaped(path)): \(TerminalText.escaped(reason))"
        }
    }
}

extension LedgerError {
    init(_ error: FileError) { self = .storage(path: error.path, reason: error.reason) }

    /// - Parameters:
    ///   - code: SQLite's result code, extended or not.
    ///   - message: SQLite's message.
    init(sqlite code: Int32, _ message: String, path: String) {
        switch code & 0xff {
        // SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL
        case 5, 6, 15: self = .busy(path: path)
        // SQLITE_CORRUPT, SQLITE_NOTADB. All statements are constants that fit the tables: if SQLite rejects one
        // (SQLITE_ERROR, SQLITE_SCHEMA) or a value (SQLITE_MISMATCH, SQLITE_CONSTRAINT), the tables are damaged.
        case 11, 26, 1, 17, 19, 20: self = .damaged(path: path, reason: message)
        case 13: self = .storage(path: path, reason: "the disk is full")
        default: self = .storage(path: path, reason: message)
        }
    }
}
