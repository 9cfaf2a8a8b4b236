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

/// A line for each high or critical finding, and for the first accounts, devices and transactions with findings: what is
/// searched on a page, however few of them have rows of their own.
///
/// Findings of one rule and severity are indented below a line with both, which ends with a colon: a million claims may
/// have a hundred thousand of them.
final class PageIndex {
    /// The maximum number of accounts, devices and transactions with a line.
    static let maxEntities = 20_000
    private static let maxLength = 200

    private let findings: PageRows
    private let entities: PageRows
    private(set) var counts = IndexCounts()
    private var head = ""

    init(in folder: String) {
        findings = PageRows(in: folder)
        entities = PageRows(in: folder)
    }

    func add(_ compared: ComparedFinding) throws(FileError) {
        let finding = compared.finding
        guard finding.severity >= .high, compared.change != .resolved else { return }
        counts.findings += 1
        let (rule, subject) = (
            TextLayout.safe(finding.rule, limit: Self.maxLength),
            TextLayout.safe(finding.subject, limit: Self.maxLength)
        )
        let head = "\(finding.severity.code) \(rule):"
        if head != self.head { try append(head, to: findings) }
        self.head = head
        // A claim is nobody's name: who presents it is.
        let presenters = [("account", finding.accountID), ("device", finding.deviceID)]
            .filter { !$0.1.isEmpty && finding.subject != "\($0.0):\($0.1.text)" }
            .map { " \($0.0):\(TextLayout.safe($0.1, limit: Self.maxLength))" }.joined()
        try append(" \(subject)\(presenters)", to: findings)
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
