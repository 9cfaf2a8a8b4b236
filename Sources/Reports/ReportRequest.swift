public import Encodings
public import Rules

/// A request for one report file.
public struct ReportRequest: Sendable {
    /// The table; `nil` for all that the format supports.
    public var table: Table?
    public var format: ReportFormat
    public var path: String

    public init(_ table: Table?, _ format: ReportFormat, path: String) {
        self.table = table
        self.format = format
        self.path = path
    }

    /// Whether the report shows subscriptions, figures from the content of receipts, or facts from other proofs about a
    /// receipt's purchases.
    var wantsFigures: Bool { (table ?? format.type.defaultTable)?.type.needsFigures ?? true }

    /// Whether it is made from the database of a run alone.
    public var isView: Bool { format.type.isView(of: table) && (table.map { format.holds($0) } ?? true) }

    /// Whether the report shows the claims of findings.
    var wantsLinks: Bool { table == .links || wantsEntities }

    /// Whether the report shows the entities of findings.
    var wantsEntities: Bool { table.map { $0.type.needsEntities } ?? format.type.hasEntities }
}

/// Settings for all reports of a run.
public struct ReportSetting: Sendable {
    /// The reference time of the run, which is also a workbook's creation time.
    public var asOf: Instant
    /// A folder with space for large temporary files.
    public var temporaryFolder: String
    /// Whether CSV begins with a byte-order mark. Without it Excel does not read the file as UTF-8.
    public var withByteOrderMark = false
    /// The permissions of the files, as for chmod(2).
    public var mode: UInt32 = 0o600
    /// The policy, which has the prices of products.
    public var policy = Policy()
    /// Whether findings are compared with an earlier report, or with earlier runs.
    public var withChange = false

    public init(asOf: Instant, temporaryFolder: String) {
        self.asOf = asOf
        self.temporaryFolder = temporaryFolder
    }
}
