import Encodings
import Files
import Rules

/// A finding as a record that sorts as the table `fraud` does: worst first, then by rule, then by subject.
enum FindingRecord {
    /// The place of each rule in the order of ids.
    private static let ranks: [UInt64] = {
        let ids = RuleBook.rules.map { $0.documentation.id }
        let sorted = ids.sorted()
        return ids.map { UInt64(sorted.firstIndex(of: $0) ?? 0) }
    }()

    static func prefix(of finding: Finding) -> UInt64 {
        var prefix = UInt64(Severity.critical.rawValue - finding.severity.rawValue) << 8 | ranks[finding.rule]
        var rest = finding.subject.utf8.makeIterator()
        for _ in 0..<6 { prefix = prefix << 8 | UInt64(rest.next() ?? 0) }
        return prefix
    }

    /// Writes the subject first, because records are sorted by their bytes, and its length last.
    static func write(_ finding: Finding, to record: inout RecordWriter) {
        let subject = Array(finding.subject.utf8)
        for byte in subject { record.byte(byte) }
        record.byte(0)
        record.text(finding.evidence)
        record.byte(finding.severity.rawValue)
        record.number(UInt64(finding.rule))
        record.number(UInt64(finding.involved.claims))
        record.number(UInt64(finding.involved.devices.count))
        record.number(UInt64(finding.involved.accounts.count))
        record.number(UInt64(finding.involved.sources.names.count))
        for source in finding.involved.sources.names { record.text(source) }
        record.sortable(UInt64(subject.count))
    }

    static func row(of record: Span<UInt8>) -> FindingRow {
        var end = RecordReader(record)
        end.skip(record.count - 8)
        let length = Int(min(end.sortable(), UInt64(record.count)))
        var fields = RecordReader(record)
        let subject = fields.text(length)
        _ = fields.byte()
        let evidence = fields.text()
        let severity = Severity(rawValue: fields.byte()) ?? .info
        let rule = min(Int(fields.number()), RuleBook.rules.count - 1)
        return FindingRow(
            severity: severity, rule: RuleBook.rules[rule].documentation.id, subject: subject,
            claims: Int(fields.number()), devices: Int(fields.number()), accounts: Int(fields.number()),
            sources: fields.texts(), evidence: evidence)
    }
}
