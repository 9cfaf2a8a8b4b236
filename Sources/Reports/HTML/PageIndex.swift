import Engine
import Files
import Rules

/// The number of lines in the index of a page.
struct IndexCounts {
    /// The number of high and critical findings. All have a line.
    var findings = 0
    /// The number of accounts, devices and transactions with findings, and of those with a line.
    var entities = 0
    var shownEntities = 0

    var isComplete: Bool { entities == shownEntities }
}

/// One line per high or critical finding, and one for each of the first accounts, devices and transactions with
/// findings. The page's search uses them, even for names without their own rows.
final class PageIndex {
    /// The maximum number of accounts, devices and transactions with a line.
    static let maxEntities = 20_000
    private static let maxLength = 200

    private let findings: PageRows
    private let entities: PageRows
    private(set) var counts = IndexCounts()

    init(in folder: String) {
        findings = PageRows(in: folder)
        entities = PageRows(in: folder)
    }

    func add(_ compared: ComparedFinding) throws(FileError) {
        let finding = compared.finding
        guard finding.severity >= .high, compared.change != .resolved else { return }
        counts.findings += 1
        let names = [finding.rule, finding.subject].map { TextLayout.safe($0, limit: Self.maxLength) }
        // A claim is not a name to search for, but its presenter is.
        let presenters = [("account", finding.accountID), ("device", finding.deviceID)]
            .filter { !$0.1.isEmpty && finding.subject != "\($0.0):\($0.1.text)" }
            .map { " \($0.0):\(TextLayout.safe($0.1, limit: Self.maxLength))" }.joined()
        try append("\(finding.severity.code) \(names[0]) \(names[1])\(presenters)", to: findings)
    }

    func add(_ row: EntityRow) throws(FileError) {
        guard [.account, .device, .transaction].contains(row.entity.kind) else { return }
        counts.entities += 1
        guard counts.shownEntities < Self.maxEntities else { return }
        counts.shownEntities += 1
        let id = TextLayout.safe(row.entity.id, limit: Self.maxLength)
        try append("\(row.worst.code) \(row.entity.kind.code):\(id) \(row.findings)", to: entities)
    }

    private func append(_ line: String, to rows: PageRows) throws(FileError) {
        try rows.append(Array((HTMLText.escaped(line) + "\n").utf8).span)
    }

    /// Writes the lines: findings in the order of the table `fraud`, then entities in the order of theirs.
    func write(to file: OutputFile) throws(FileError) {
        try findings.write(to: file)
        try entities.write(to: file)
    }
}
