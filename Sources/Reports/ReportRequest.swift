public import Encodings
public import Rules

/// A request for one report file.
public struct ReportRequest: Sendable {
    /// `nil` for all that the format can hold.
    public var table: Table?
    public var format: ReportFormat
    public var path: String

    public init(_ table: Table?, _ format: ReportFormat, path: String) {
        self.table = table
        self.format = format
        self.path = path
    }

    /// Whether the report shows subscriptions, or figures of what receipts say, or what other proofs say of a receipt's
    /// purchases.
    var wantsFigures: Bool { (table ?? format.type.defaultTable)?.type.needsFigures ?? true }

    /// Whether the report shows which claims findings are about.
    var wantsLinks: Bool { table == .links || wantsEntities }

    /// Whether the report shows what findings concern.
    var wantsEntities: Bool { table.map { $0.type.needsEntities } ?? format.type.hasEntities }
}

/// Settings that all reports of a run have in common.
public struct ReportSetting: Sendable {
    /// The reference time of the run, which a workbook says it was made at.
    public var asOf: Instant
    /// A folder with space for large temporary files.
    public var temporaryFolder: String
    /// Whether CSV begins with a byte-order mark, without which Excel does not read it as UTF-8.
    public var withByteOrderMark = false
    /// Who may read and write the files, as chmod(2) takes it.
    public var mode: UInt32 = 0o600
    /// What products cost.
    public var policy = Policy()
    /// Whether findings are compared with an earlier report, or with earlier runs.
    public var withChange = false

    public init(asOf: Instant, temporaryFolder: String) {
        self.asOf = asOf
        self.temporaryFolder = temporaryFolder
    }
}
