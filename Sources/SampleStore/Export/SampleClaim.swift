/// One claim of an export: a file, the row that names it, and the truth about it.
public struct SampleClaim: Sendable {
    /// What an auditor should find.
    public enum Truth: Sendable, Equatable {
        /// No check fails.
        case genuine
        /// Exactly the check fails that the forgery is named for; those that depend on it cannot be made.
        case forged(Forgery)
        /// One claim of a planted cluster; ``SampleExport/expectedFindings()`` tells what it shows.
        case planted(Plant)
    }

    public let index: Int
    public var row: SampleRow
    /// The file, unless it is missing.
    public var file: SampleFile?
    public var truth: Truth

    /// The code of the check that fails by forgery, if one does.
    public var failedCheck: String? {
        if case .forged(let forgery) = truth { forgery.rawValue } else { nil }
    }

    /// How reports name the claim: the table and the line on which its row starts.
    public var source: String { Self.source(at: index) }

    static func source(at index: Int) -> String { "devices.csv:\(index + 2)" }
}

/// A receipt file to be written.
public struct SampleFile: Sendable, Equatable {
    /// The path, relative to the folder of receipts.
    public var path: String
    public var bytes: [UInt8]
    /// The size to which zeros behind the bytes extend the file, if they do.
    public var extendedTo: Int?

    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}
