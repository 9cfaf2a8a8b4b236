import Checks
import Encodings
import Engine
import Files
import Rules
import Subscriptions

/// Writes the workbook for analysts: what to look at first, the queue of findings, and the tables behind it, with links
/// in both directions.
///
/// Rows whose order or links depend on others wait in files until all are known.
final class WorkbookSink: ReportSink {
    private let target: WorkbookTarget
    private let setting: ReportSetting
    private let overview: OverviewSheet
    private let queue: TableSheets
    private let entities: TableSheets
    private let claims: TableSheets
    private let links: TableSheets
    private let purchases: TableSheets
    private let subscriptions: TableSheets
    private let metrics: TableSheets
    private let retention: TableSheets
    private let rules: TableSheets

    let rowEncoder: RowEncoder? = WorkbookFormat.receiptsEncoder(maxRows: nil)
    let purchaseEncoder: RowEncoder?
    private var (claimPieces, purchasePieces) = (TypedRows(), TypedRows())

    private var findings = FindingQueue()
    private var top = TopEntities()
    private var counts: ClaimCounts
    private let waitingFindings: WaitingRows<QueueKey>
    private let waitingEntities: WaitingRows<EntityKey>
    private let waitingLinks: WaitingRows<LinkKey>
    /// The first rows of claims with findings.
    private var claimRows: [ClaimID: Int] = [:]

    private struct QueueKey: Hashable {
        let finding: FindingID
        let rule: ExactText
    }
    private struct EntityKey: Hashable {
        /// As a cell shows it.
        let subject: String
        let finding: FindingID?
    }
    private struct LinkKey: Hashable {
        let finding: FindingID
        let claim: ClaimID
    }

    /// The rows of the sheets `Links` and `Purchases`: the tables may have many for each claim.
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
        queue = try TableSheets(QueueTable.schema, in: book, limits: limits, isRanked: true)
        entities = try TableSheets(EntityTable.schema, in: book, limits: limits, isRanked: true)
        claims = try TableSheets(ReceiptsTable.schema.titled("Claims"), in: book, limits: limits, isRanked: true)
        links = try TableSheets(LinksTable.schema.titled("Links"), in: book, limits: cut, isRanked: true)
        purchases = try TableSheets(PurchasesTable.schema.titled("Purchases"), in: book, limits: cut)
        subscriptions = try TableSheets(SubscriptionsTable.schema.titled("Subscriptions"), in: book, limits: limits)
        metrics = try TableSheets(MetricRow.schema.titled("Metrics"), in: book, limits: limits)
        retention = try TableSheets(RetentionRow.schema.titled("Retention"), in: book, limits: limits)
        rules = try TableSheets(RuleTable.schema, in: book)

        purchaseEncoder = WorkbookFormat.purchasesEncoder(setting.policy, maxClaims: Self.maxRows)
        counts = ClaimCounts(asOf: setting.asOf)
        waitingFindings = WaitingRows(in: folder)
        waitingEntities = WaitingRows(in: folder)
        waitingLinks = WaitingRows(in: folder, maxRows: Self.maxRows)
        claims.linkedColumn = 0
        claims.observe = { [unowned self] row, cells, bytes in
            observe(row, ClaimCells(cells: cells), bytes)
        }
    }

    var file: OutputFile { target.file }

    /// Takes pieces that end anywhere.
    func write(rows: Span<UInt8>) throws(FileError) {
        let whole = claimPieces.whole(with: rows)
        try claims.write(whole.span)
    }

    func write(purchases rows: Span<UInt8>) throws(FileError) {
        let whole = purchasePieces.whole(with: rows)
        try purchases.write(whole.span)
    }

    /// Counts a claim, and returns whether findings are about it, and it has a link therefore.
    private func observe(_ row: Int, _ claim: ClaimCells, _ bytes: Span<UInt8>) -> Bool {
        let hasFindings = !claim.text(ClaimCells.risk, bytes).isEmpty
        counts.add(
            Verdict(rawValue: claim.text(ClaimCells.verdict, bytes)) ?? .unreadable, hasFindings: hasFindings,
            presentedAt: claim.presentedAt?.description ?? "")
        guard hasFindings, claimRows.count < WorkbookSheet.maxLinks,
            let id = ClaimID(ExactText(claim.text(ClaimCells.id, bytes))), claimRows[id] == nil
        else { return false }
        claimRows[id] = row
        return true
    }

    func write(_ finding: ComparedFinding) throws(FileError) {
        findings.add(finding)
        // What is no longer found is counted, and has nothing that could be looked at.
        guard finding.change != .resolved else { return }
        let key = QueueKey(finding: finding.finding.id, rule: finding.finding.rule)
        try waitingFindings.append(key, group: FindingGroup.urgency(of: finding)) { QueueTable.write(finding, to: &$0) }
    }

    func write(_ link: LinkRow) throws(FileError) {
        let key = LinkKey(finding: link.finding, claim: link.facts.claim)
        try waitingLinks.append(key, group: Int(link.severity.rawValue)) { link.write(to: &$0) }
    }

    func write(_ entity: EntityRow) throws(FileError) {
        top.add(entity)
        let key = EntityKey(
            subject: WorkbookText.shown(entity.entity.kind.code + ":" + entity.entity.id.text),
            finding: entity.marks.first?.finding)
        // The first ones are written with their evidence, which comes later.
        let isTop = top.count <= TopEntities.maxRows
        try waitingEntities.append(key, isTop ? nil : { EntityTable.write(entity, evidence: [], to: &$0) })
    }

    var namedFindings: Set<FindingID> { top.named }
    func write(named finding: FindingRow) throws(FileError) { top.add(named: finding) }

    func write(_ evidence: EvidenceRow) throws(FileError) {}

    func write(_ subscription: SubscriptionRow) throws(FileError) {
        try subscriptions.writeRow { SubscriptionsTable.write(subscription, to: &$0) }
    }

    func write(_ figures: SubscriptionFigures) throws(FileError) {
        for row in figures.retentionRows { try retention.writeRow { row.write(to: &$0) } }
        try figures.forEachMetric { row throws(FileError) in try metrics.writeRow { row.write(to: &$0) } }
    }

    func write(_ summary: Summary) throws(FileError) {
        let places = places
        try writeWaiting(places)
        var document = ReportDocument(
            table: nil, summary: summary, findings: findings, withChange: setting.withChange)
        document.entities = top
        document.claimCounts = counts
        let tables = [queue, entities, claims, links, purchases, subscriptions, metrics, retention, rules]
        if claims.count > Self.maxRows { purchases.isIncomplete = true }
        try overview.write(document, tables, places)
    }

    func finish() throws(FileError) {
        for sheets in [queue, entities, claims, links, purchases, subscriptions, metrics, retention, rules] {
            try sheets.end()
        }
        try target.finish()
    }
}

/// Where the rows of a workbook stand that others lead to.
struct WorkbookPlaces {
    typealias Place = WorkbookSheet.Place

    fileprivate(set) var finding: (FindingID) -> Place? = { _ in nil }
    fileprivate(set) var links: (FindingID) -> Place? = { _ in nil }
    /// The subject is as a cell shows it.
    fileprivate(set) var entity: (String) -> Place? = { _ in nil }
    fileprivate(set) var rule: (ExactText) -> Place? = { _ in nil }
    fileprivate(set) var firstFinding: (ExactText) -> Place? = { _ in nil }
}

extension WorkbookSink {
    private var places: WorkbookPlaces {
        var places = WorkbookPlaces()
        let (queue, links, entities, rules) = (queue, links, entities, rules)
        let findingRows = waitingFindings.firstRows { $0.finding }
        places.finding = { id in findingRows[id].flatMap { queue.place(ofRow: $0) } }
        let linkRows = waitingLinks.firstRows { $0.finding }
        places.links = { id in linkRows[id].flatMap { links.place(ofRow: $0) } }
        let entityRows = waitingEntities.firstRows { $0.subject }
        places.entity = { subject in entityRows[subject].flatMap { entities.place(ofRow: $0) } }
        let ruleRows = Dictionary(uniqueKeysWithValues: RuleBook.ids.enumerated().map { ($1, $0) })
        places.rule = { id in ruleRows[id].flatMap { rules.place(ofRow: $0) } }
        let firstRows = waitingFindings.firstRows { $0.rule }
        places.firstFinding = { rule in firstRows[rule].flatMap { queue.place(ofRow: $0) } }
        return places
    }

    /// Writes the rows that waited, with their links.
    private func writeWaiting(_ places: WorkbookPlaces) throws(FileError) {
        let (subject, rule) = (QueueTable.schema.index(of: "subject"), QueueTable.schema.index(of: "rule"))
        let id = QueueTable.schema.index(of: "finding_id")
        queue.place = { column, text in
            switch column {
            case subject: places.entity(String(cell: text))
            case rule: places.rule(ExactText(String(cell: text)))
            case id: FindingID(ExactText(String(cell: text))).flatMap(places.links)
            default: nil
            }
        }
        try waitingFindings.write(to: queue)
        try writeEntities(places)
        try writeLinks(places)
        rules.place = { column, text in column == 0 ? places.firstFinding(ExactText(String(cell: text))) : nil }
        let found = Dictionary(uniqueKeysWithValues: findings.byRule.map { ($0.rule, $0.count) })
        for rule in RuleBook.rules.map({ $0.documentation }) {
            try rules.writeRow { RuleTable.write(rule, findings: found[rule.id] ?? 0, to: &$0) }
        }
    }

    /// An entity leads to the finding with the highest mark.
    private func writeEntities(_ places: WorkbookPlaces) throws(FileError) {
        let worst = Dictionary(
            waitingEntities.keys.map { ($0.subject, $0.finding) }, uniquingKeysWith: { first, _ in first })
        let columns = (kind: EntityTable.schema.index(of: "kind"), id: EntityTable.schema.index(of: "id"))
        var kind = ""
        entities.place = { column, text in
            if column == columns.kind { kind = String(cell: text) }
            guard column == columns.id, let finding = worst[kind + ":" + String(cell: text)] else { return nil }
            return finding.flatMap(places.finding)
        }
        for (index, row) in top.rows.enumerated() {
            let lines = top.notes(of: index).compactMap { note in
                top.finding(note.finding).map { "\(note.severity.code) \($0.rule): \($0.evidence)" }
            }
            let omitted = row.findings - lines.count
            let more = omitted > 0 && !lines.isEmpty ? ["and \(counted(omitted, "more finding", grouped))"] : []
            try entities.writeRow { EntityTable.write(row, evidence: lines + more, to: &$0) }
        }
        try waitingEntities.write(to: entities)
    }

    private func writeLinks(_ places: WorkbookPlaces) throws(FileError) {
        let (finding, claim) = (LinksTable.schema.index(of: "finding_id"), LinksTable.schema.index(of: "claim_id"))
        let (claims, rows) = (claims, claimRows)
        links.place = { column, text in
            switch column {
            case finding: FindingID(ExactText(String(cell: text))).flatMap(places.finding)
            case claim: ClaimID(ExactText(String(cell: text))).flatMap { rows[$0] }.flatMap { claims.place(ofRow: $0) }
            default: nil
            }
        }
        let first = waitingLinks.firstRows { $0.claim }
        try waitingLinks.write(to: links)
        for (claim, row) in claimRows.sorted(by: { $0.value < $1.value }) {
            guard let place = first[claim].flatMap({ links.place(ofRow: $0) }) else { continue }
            try claims.link(row: row, to: place)
        }
    }
}

/// The cells of a row of the table `receipts`.
private struct ClaimCells {
    let cells: [TypedCells.Cell]

    static let verdict = ReceiptsTable.schema.index(of: "verdict")
    static let risk = ReceiptsTable.riskColumn
    static let id = ReceiptsTable.schema.index(of: "claim_id")
    private static let presented = ReceiptsTable.schema.index(of: "presented_at")

    func text(_ column: Int, _ bytes: Span<UInt8>) -> String {
        guard column < cells.count, case .text(let range) = cells[column] else { return "" }
        return String(cell: bytes.extracting(range))
    }

    var presentedAt: Instant? {
        guard Self.presented < cells.count, case .date(let date) = cells[Self.presented] else { return nil }
        return date
    }
}

extension TableSchema {
    fileprivate func index(of column: String) -> Int { columns.firstIndex { $0.name == column } ?? -1 }
}

extension String {
    /// The text of a cell without its NUL.
    fileprivate init(cell: Span<UInt8>) {
        let text = cell.extracting(droppingLast: 1)
        if let text = try? UTF8Span(validating: text) { self.init(copying: text) } else { self = "" }
    }
}
