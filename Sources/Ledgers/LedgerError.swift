private import Encodings
internal import Files
internal import SQLite

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
    /// Its digest does not match, or SQLite finds the file corrupted.
    case damaged(path: String, reason: String)
    /// It is damaged, and there is no sound previous one.
    indirect case lost(path: String, reason: String, previous: LedgerError)
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
            \(TerminalText.escaped(path)) is damaged (\(TerminalText.escaped(reason))): the next run goes on from the one \
            before the last change
            """
        case .lost(let path, let reason, let previous):
            """
            \(TerminalText.escaped(path)) is damaged (\(TerminalText.escaped(reason))), and so is the one before its last \
            change (\(previous.reason)). Put a copy in its place (`audit ledger backup` makes them), or move both away to \
            begin anew
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
            move it away with what lies beside it, and the next run begins a new one; `audit review --import` of the last fraud report keeps its \
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
    /// Returns what is damaged; `nil` if it is another error.
    ///
    /// - Parameter isLedger: whether the file was a ledger, whatever is in it now.
    func damage(ofLedger isLedger: Bool) -> String? {
        switch self {
        case .damaged(_, let reason): reason
        case .foreign where isLedger: "it does not begin like a ledger"
        default: nil
        }
    }

    /// What is wrong, without what to do about it.
    private var reason: String {
        guard case .damaged(_, let reason) = self else { return description }
        return TerminalText.escaped(reason)
    }

    init(_ error: FileError) { self = .storage(path: error.path, reason: error.reason) }
}

/// A connection to a ledger, and its statements.
typealias Connection = SQLiteConnection<LedgerError>
typealias Statement = SQLiteStatement<LedgerError>

extension LedgerError: DatabaseFailure {
    package static func full(path: String) -> LedgerError { .storage(path: path, reason: "the disk is full") }
}
