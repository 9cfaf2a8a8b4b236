import Checks
import Encodings
import Engine
import Files
import Rules
import Subscriptions

/// Writes the workbook for analysts: what to look at first, the queue of findings, and the underlying tables, with
/// links in both directions.
///
/// Rows wait in files if their order or links depend on others.
final class WorkbookSink: ReportSink {
    private let target: WorkbookTarget
    private let setting: ReportSetting
    private let overview: OverviewSheet
    let queue: TableSheets
    let entities: TableSheets
    let claims: TableSheets
    let links: TableSheets
    let purchases: TableSheets
    let subscriptions: TableSheets
    private let unclaimed: TableSheets
    private let refundRequests: TableSheets
    private let completeness: TableSheets
    private let metrics: TableSheets
    private let retention: TableSheets
    let rules: TableSheets

    let encodedTables: [EncodedTable]
    private var (claimPieces, purchasePieces) = (TypedRows(), TypedRows())

    let waitingFindings: WaitingRows<QueueKey>
    let waitingEntities: WaitingRows<EntityKey>
    /// The members of rings that have no row of their own, each with the first of the ring, as cells show them.
    private(set) var ringMembers: [String: String] = [:]
    let waitingLinks: WaitingRows<LinkKey>
    private let waitingPurchases: PageRows
    let waitingSubscriptions: WaitingRows<SubscriptionState>
    private(set) var claimRows = ClaimRows()
    private(set) var purchaseRows = PurchaseRows()

    struct QueueKey: Hashable {
        let finding: FindingID
        let rule: ExactText
    }
    struct EntityKey: Hashable {
        /// The subject as in a cell.
        let subject: String
        let finding: FindingID?
    }
    struct LinkKey: Hashable {
        let finding: FindingID
        let claim: ClaimID
    }

    /// The maximum number of rows of the sheets `Links` and `Purchases`: the tables may have many for each claim.
    static let maxRows = 65_000

    init(
        _ path: String, _ setting: ReportSetting, limits: TableSheets.Limits = TableSheets.Limits()
    ) throws(FileError) {
        self.setting = setting
        target = try WorkbookTarget(path, setting)
        let (book, folder) = (target.book, setting.temporaryFolder)
        let cut = TableSheets.Limits(rowsPerSheet: limits.rowsPerSheet, rows: min(limits.rows, Self.maxRows))
        // The order of the sheets.
        overview = try OverviewSheet("Overview", in: book)
        queue = try TableSheets(QueueSheet.schema, in: book, limits: limits, isRanked: true)
        entities = try TableSheets(EntitySheet.schema, in: book, limits: limits, isRanked: true)
        claims = try TableSheets(ReceiptsTable.schema.titled("Claims"), in: book, limits: limits, isRanked: true)
        links = try TableSheets(LinksTable.schema.titled("Links"), in: book, limits: cut, isRanked: true)
        purchases = try TableSheets(PurchasesTable.schema.titled("Purchases"), in: book, limits: cut)
        subscriptions = try TableSheets(SubscriptionsTable.schema.titled("Subscriptions"), in: book, limits: limits)
        unclaimed = try TableSheets(UnclaimedTable.schema.titled("Unclaimed"), in: book, limits: limits)
        refundRequests = try TableSheets(
            RefundRequestsTable.schema.titled("Refund requests"), in: book, limits: limits)
        completeness = try TableSheets(CompletenessTable.schema.titled("Completeness"), in: book, limits: limits)
        metrics = try TableSheets(MetricsTable.schema.titled("Metrics"), in: book, limits: limits)
        retention = try TableSheets(RetentionTable.schema.titled("Retention"), in: book, limits: limits)
        rules = try TableSheets(RuleSheet.schema, in: book)

        encodedTables = [
            EncodedTable(.receipts, in: WorkbookFormat.self, setting.policy),
            EncodedTable(.purchases, in: WorkbookFormat.self, setting.policy, maxClaims: Self.maxRows),
        ].compactMap(\.self)
        waitingFindings = WaitingRows(in: folder)
        waitingEntities = WaitingRows(in: folder)
        waitingLinks = WaitingRows(in: folder, maxRows: Self.maxRows)
        waitingPurchases = PageRows(in: folder)
        waitingSubscriptions = WaitingRows(in: folder)
        claims.observe = { [unowned self] row, cells, bytes in
            observe(row, ClaimCells(cells: cells), bytes)
        }
    }

    var file: OutputFile? { target.file }

    func write(rows: Span<UInt8>, of table: ReportRequest.Table) throws(FileError) {
        guard table == .purchases else {
            let whole = claimPieces.whole(with: rows)
            return try claims.write(whole.span)
        }
        let whole = purchasePieces.whole(with: rows)
        // Rows without a place are counted when they are written.
        purchaseRows.add(whole.span)
        try waitingPurchases.append(whole.span)
    }

    /// Returns the cells of a claim that will have links.
    private func observe(_ row: Int, _ claim: ClaimCells, _ bytes: Span<UInt8>) -> [Int] {
        claimRows.add(row, claim, bytes, hasFindings: !claim.text(ClaimCells.risk, bytes).isEmpty)
    }

    func write<Table: ReportTable>(_ row: Table.Row, of table: Table.Type) throws(FileError) {
        if let link = Table.row(row, of: LinksTable.self) {
            try add(link)
        } else if let subscription = Table.row(row, of: SubscriptionsTable.self) {
            let state = subscription.state
            try waitingSubscriptions.append(
                state, group: -state.place, TypedRow.bytes(of: subscription, in: SubscriptionsTable.self))
        } else if table == UnclaimedTable.self {
            try unclaimed.write(row, of: table)
        } else if table == RefundRequestsTable.self {
            try refundRequests.write(row, of: table)
        } else if table == CompletenessTable.self {
            try completeness.write(row, of: table)
        } else if table == MetricsTable.self {
            try metrics.write(row, of: table)
        } else if table == RetentionTable.self {
            try retention.write(row, of: table)
        }
    }

    private func add(_ link: LinkRow) throws(FileError) {
        let key = LinkKey(finding: link.finding, claim: link.facts.claim)
        claimRows.add(link.facts)
        try waitingLinks.append(
            key, group: Int(link.severity.rawValue), TypedRow.bytes(of: link, in: LinksTable.self))
    }

    /// Adds the entities: those with cards first, then those that no card names.
    private func addEntities(_ top: TopEntities, _ report: StoredReport) throws {
        var named: Set<String> = []
        for card in top.cards {
            let key = EntityKey(subject: Self.subject(of: card.row), finding: card.notes.first?.finding.id)
            named.insert(key.subject)
            // They are written with their evidence.
            try waitingEntities.append(key, group: 1, nil)
            for member in card.ring?.named ?? [] { ringMembers[Self.subject(of: member)] = key.subject }
        }
        try report.forEachEntity { entity, worst in
            let key = EntityKey(subject: Self.subject(of: entity), finding: worst)
            guard !named.contains(key.subject), ringMembers[key.subject] == nil else { return }
            try waitingEntities.append(key, TypedRow.bytes(of: EntitySheet.Row(entity: entity), in: EntitySheet.self))
        }
    }

    private static func subject(of row: EntityRow) -> String {
        WorkbookText.shown(row.entity.kind.code + ":" + row.entity.id.text)
    }

    /// The sheets after the overview, in their order.
    private var tables: [TableSheets] {
        [
            queue, entities, claims, links, purchases, subscriptions, unclaimed, refundRequests, completeness, metrics,
            retention, rules,
        ]
    }

    private func write(_ report: StoredReport) throws {
        let document = try ReportDocument(report, table: nil)
        try report.forEachFinding { finding in
            let key = QueueKey(finding: finding.finding.id, rule: finding.finding.rule)
            try waitingFindings.append(key, TypedRow.bytes(of: finding, in: QueueSheet.self))
        }
        try addEntities(document.entities, report)
        let places = WorkbookPlaces(self)
        try writeWaiting(places, document)
        try writePurchases(places)
        leadFromSubscriptions(places)
        try waitingSubscriptions.write(to: subscriptions)
        if claims.count > Self.maxRows { purchases.isIncomplete = true }
        try overview.write(document, tables, places)
    }

    private func writePurchases(_ places: WorkbookPlaces) throws(FileError) {
        leadFromPurchases(places)
        var pieces = TypedRows()
        try waitingPurchases.forEachPiece { piece throws(FileError) in
            let whole = pieces.whole(with: piece)
            try purchases.write(whole.span)
        }
    }

    func finish(_ summary: Summary, from report: StoredReport?) throws {
        guard let report else { return }
        try write(report)
        for sheets in tables { try sheets.end() }
        try target.finish()
    }
}
