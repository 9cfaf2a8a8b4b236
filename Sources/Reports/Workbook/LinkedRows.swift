import Checks
import Encodings
import Engine

/// The rows of the sheet `Claims` that are link targets, and those with links.
struct ClaimRows {
    /// The target of a claim's cell.
    enum Target {
        case links, finding, account, device, purchases
    }

    /// The first row of each of the first claims.
    private(set) var rows: [ClaimID: Int] = [:]
    /// The claims with findings that have links in their first rows, in the order of the rows.
    private(set) var inOrder: [(claim: ClaimID, row: Int)] = []
    /// The first claims of accounts, devices, transactions and people, by subject.
    private(set) var ofEntities: [String: ClaimID] = [:]
    private var linked: [Int: Set<Int>] = [:]
    private var people: [ClaimID: (account: String, device: String)] = [:]
    /// The rows by the first bytes of the digest.
    private var receipts: [UInt64: Int] = [:]

    /// The maximum number of claims with links to more than their rows of the sheet `Links`: a sheet cannot have a link
    /// in every cell.
    private static let maxWithAll = 6000

    private static let columns: [(column: Int, target: Target)] = [
        (ReceiptsTable.schema.index(of: "source"), .links), (ReceiptsTable.schema.index(of: "claim_id"), .finding),
        (ReceiptsTable.schema.index(of: "account_id"), .account),
        (ReceiptsTable.schema.index(of: "device_id"), .device),
        (ReceiptsTable.schema.index(of: "purchases"), .purchases),
    ]

    /// Adds a row, and returns the columns of its cells that will have links.
    mutating func add(_ row: Int, _ claim: ClaimCells, _ bytes: Span<UInt8>, hasFindings: Bool) -> [Int] {
        let isFirst = row < WorkbookSink.maxRows
        guard hasFindings || isFirst, rows.count < 2 * WorkbookSink.maxRows,
            let id = ClaimID(ExactText(claim.text(ClaimCells.id, bytes))), rows[id] == nil
        else { return [] }
        if isFirst, let digest = Self.prefix(of: claim.text(ClaimCells.receipt, bytes)), receipts[digest] == nil {
            receipts[digest] = row
        }
        rows[id] = row
        let most = WorkbookSheet.maxLinks - Self.maxWithAll * (Self.columns.count - 1)
        guard hasFindings, inOrder.count < most else { return [] }
        inOrder.append((id, row))
        guard inOrder.count <= Self.maxWithAll else { return [ClaimCells.source] }
        let columns = Self.columns.filter { claim.leads($0.target, bytes) }.map(\.column)
        linked[row] = Set(columns)
        return columns
    }

    /// Adds the owner of a claim with findings.
    mutating func add(_ facts: LinkFacts) {
        guard let row = rows[facts.claim] else { return }
        let account = WorkbookText.shown(facts.accountID.text)
        let device = facts.isMatching ? facts.device.map { "\($0)" } ?? "" : ""
        let subjects = [
            ("account", account), ("device", device),
            ("transaction", WorkbookText.shown(facts.originalTransactionID.text)),
            ("person", facts.isMatching ? WorkbookText.shown(facts.personID.text) : ""),
        ]
        for (kind, id) in subjects where !id.isEmpty {
            guard ofEntities.count < WorkbookSheet.maxLinks, ofEntities[kind + ":" + id] == nil else { continue }
            ofEntities[kind + ":" + id] = facts.claim
        }
        if linked[row] != nil, people[facts.claim] == nil { people[facts.claim] = (account, device) }
    }

    func account(of claim: ClaimID) -> String? { people[claim]?.account }
    func device(of claim: ClaimID) -> String? { people[claim]?.device }

    /// Returns the cells of a row that have links.
    func linked(_ row: Int) -> [(column: Int, target: Target)] {
        guard let columns = linked[row] else { return [(ClaimCells.source, .links)] }
        return Self.columns.filter { columns.contains($0.column) }
    }

    /// Returns the first row with a receipt, by its digest in hex.
    func row(ofReceipt digest: String) -> Int? { Self.prefix(of: digest).flatMap { receipts[$0] } }

    private static func prefix(of digest: String) -> UInt64? { UInt64(digest.prefix(16), radix: 16) }
}

/// The rows of the sheet `Purchases` that are link targets.
struct PurchaseRows {
    private(set) var ofClaims: [ClaimID: Int] = [:]
    private(set) var ofTransactions: [String: Int] = [:]
    private var count = 0

    private static let (claim, transaction) = (
        PurchasesTable.schema.index(of: "claim_id"), PurchasesTable.schema.index(of: "transaction_id")
    )

    /// Adds whole rows.
    mutating func add(_ bytes: Span<UInt8>) {
        var reader = TypedCells(bytes)
        var cells: [TypedCells.Cell] = []
        while count < WorkbookSink.maxRows, let cell = reader.next() {
            guard case .endOfRow = cell else {
                cells.append(cell)
                continue
            }
            if let id = ClaimID(ExactText(cells.text(Self.claim, bytes))), ofClaims[id] == nil { ofClaims[id] = count }
            let transaction = cells.text(Self.transaction, bytes)
            if !transaction.isEmpty, ofTransactions[transaction] == nil { ofTransactions[transaction] = count }
            cells.removeAll(keepingCapacity: true)
            count += 1
        }
    }
}

/// The cells of a row of the table `receipts`.
struct ClaimCells {
    let cells: [TypedCells.Cell]

    static let source = ReceiptsTable.schema.index(of: "source")
    static let risk = ReceiptsTable.schema.index(of: "risk")
    static let id = ReceiptsTable.schema.index(of: "claim_id")
    static let receipt = ReceiptsTable.schema.index(of: "receipt_sha256")
    private static let account = ReceiptsTable.schema.index(of: "account_id")
    private static let device = ReceiptsTable.schema.index(of: "device_id")
    private static let failedChecks = ReceiptsTable.schema.index(of: "failed_checks")
    private static let deviceHash = ReceiptsTable.schema.index(of: "guid")
    private static let purchases = ReceiptsTable.schema.index(of: "purchases")

    func text(_ column: Int, _ bytes: Span<UInt8>) -> String { cells.text(column, bytes) }

    /// Whether a claim with findings has a link target for the cell.
    func leads(_ target: ClaimRows.Target, _ bytes: Span<UInt8>) -> Bool {
        switch target {
        case .links, .finding: true
        case .account: !text(Self.account, bytes).isEmpty
        case .device:
            // A token may match by its verification id alone.
            !text(Self.device, bytes).isEmpty && text(Self.deviceHash, bytes) == DeviceHashResult.match.rawValue
                && isGenuine(bytes)
        case .purchases:
            if Self.purchases < cells.count, case .number(1...) = cells[Self.purchases] { true } else { false }
        }
    }

    /// Whether the checks show that Apple signed the content.
    private func isGenuine(_ bytes: Span<UInt8>) -> Bool {
        let failed = text(Self.failedChecks, bytes).split(separator: ";")
        return !WordOf.brokenSignature.contains { failed.contains($0[...]) }
    }
}

extension [TypedCells.Cell] {
    /// Returns the text of a cell; empty if it has none.
    func text(_ column: Int, _ bytes: Span<UInt8>) -> String {
        guard indices.contains(column), case .text(let range) = self[column] else { return "" }
        return String(cell: bytes.extracting(range))
    }
}

extension String {
    /// The text of a cell without its NUL.
    init(cell: Span<UInt8>) {
        let text = cell.extracting(droppingLast: 1)
        if let text = try? UTF8Span(validating: text) { self.init(copying: text) } else { self = "" }
    }
}
