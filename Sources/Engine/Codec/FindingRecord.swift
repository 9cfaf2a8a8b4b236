import Checks
import Encodings
package import Files
package import Rules
import Sorting
import Subscriptions

/// The record of a finding, which sorts like the table `fraud`: most severe first, then the most likely, then by rule,
/// subject, evidence, and finally by all other cells, byte by byte. Only rows with equal cells are equal.
enum FindingRecord {
    /// The position of each rule in the order of ids.
    private static let ranks: [UInt64] = {
        let ids = RuleBook.rules.map { $0.documentation.id }
        let sorted = ids.sorted()
        return ids.map { UInt64(sorted.firstIndex(of: $0) ?? 0) }
    }()

    static func prefix(of finding: Finding) -> UInt64 {
        prefix(finding.severity, finding.confidence, rule: finding.rule, finding.subject)
    }

    static func prefix(
        _ severity: Severity, _ confidence: Confidence, rule: Int, _ subject: ExactText
    ) -> UInt64 {
        let severity = UInt64(Severity.critical.rawValue - severity.rawValue)
        var prefix = (severity << 2 | UInt64(Confidence.likely.rawValue - confidence.rawValue)) << 8 | ranks[rule]
        var rest = subject.utf8.makeIterator()
        for _ in 0..<6 { prefix = prefix << 8 | UInt64(rest.next() ?? 0) }
        return prefix
    }

    static func write(_ row: FindingRow, to record: inout RecordWriter) {
        var row = row
        row.code(&record)
    }

    static func row(of record: Span<UInt8>) throws(RecordError) -> FindingRow {
        try RecordReader.read(record, .unread) { (row, fields) throws(RecordError) in try row.code(&fields) }
    }
}

extension FindingRow {
    fileprivate static var unread: FindingRow {
        FindingRow(id: .none, severity: .info, confidence: .likely, rule: "", subject: "")
    }

    fileprivate mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        var (evidence, joined) = (ExactText(evidence), ExactText(sources.map(\.text).joined(separator: ";")))
        try coder.sortable(&subject)
        try coder.sortable(&evidence)
        try coder.sortable(&joined)
        try coder.identity(&id)
        try coder.code(&severity)
        try coder.code(&confidence)
        try coder.rule(&rule)
        try coder.count(&claims)
        try coder.count(&devices)
        try coder.count(&accounts)
        try coder.count(&events)
        try coder.count(&unpriced)
        try coder.texts(&sources)
        var bits = try coder.beginBits()
        coder.flag(&isAboutMore, &bits)
        try coder.text(&bundleID, &bits)
        try coder.text(&productID, &bits)
        try coder.text(&deviceID, &bits)
        try coder.text(&accountID, &bits)
        try coder.amount(&atStake, &bits)
        try coder.instant(&lastPresented, &bits)
        coder.end(bits)
        self.evidence = evidence.text
    }
}

extension FieldCoder where Self: ~Escapable {
    mutating func amount(_ amount: inout AmountAtStake?, _ bits: inout PresenceBits) throws(Failure) {
        guard isPresent(amount != nil, &bits) else { return amount = nil }
        var present = amount ?? AmountAtStake(millionths: 0, currency: "")
        try signed(&present.millionths)
        try text(&present.currency)
        try bool(&present.isLeast)
        amount = present
    }

    /// Codes a rule's id as its index in the rule book. The program that wrote records reads them, or another one of
    /// the same version.
    mutating func rule(_ id: inout ExactText) throws(Failure) {
        // Reading refuses an index without a rule.
        var place = Self.isReading ? 0 : RuleBook.ids.firstIndex(of: id) ?? RuleBook.ids.count
        try rule(&place)
        id = RuleBook.ids[place]
    }

    /// Codes a rule as its index in the rule book.
    package mutating func rule(_ place: inout Int) throws(Failure) {
        try count(&place)
        if !RuleBook.ids.indices.contains(place) {
            place = 0
            try reject()
        }
    }
}

/// Sorts texts, each a formatted row of a finding, into the order of the table `fraud`.
package final class FindingSorter {
    private let sorter: RecordSorter
    private var record = RecordWriter()

    package init(_ storage: Storage) { sorter = RecordSorter(budget: storage.memory, folder: storage.folder) }

    /// - Returns: false if there is no rule of this name.
    package func add(_ row: FindingRow, _ text: String) throws(FileError) -> Bool {
        guard let rule = RuleBook.ids.firstIndex(of: row.rule) else { return false }
        var (row, text) = (row, ExactText(text))
        record.removeAll()
        row.code(&record)
        record.text(&text)
        try sorter.add(FindingRecord.prefix(row.severity, row.confidence, rule: rule, row.subject), record)
        return true
    }

    /// Calls a body with each text in order, once.
    package func forEach(_ body: (String) throws -> Void) throws {
        try RunMerge.forEachRecord(of: sorter.finish()) { try body(Self.text(of: $1)) }
    }

    private static func text(of record: Span<UInt8>) throws(RecordError) -> String {
        let text = try RecordReader.read(record, "" as ExactText) { (text, fields) throws(RecordError) in
            var row = FindingRow.unread
            try row.code(&fields)
            try fields.text(&text)
        }
        return text.text
    }
}
