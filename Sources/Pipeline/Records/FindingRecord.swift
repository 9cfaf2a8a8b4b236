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

    static func write(_ finding: Finding, to record: inout RecordWriter) {
        record.leading(finding.subject)
        record.text(finding.evidence)
        record.byte(finding.severity.rawValue)
        record.number(UInt64(finding.rule))
        record.number(UInt64(finding.involved.claims))
        record.number(UInt64(finding.involved.devices.count))
        record.number(UInt64(finding.involved.accounts.count))
        record.number(UInt64(finding.involved.sources.names.count))
        for source in finding.involved.sources.names { record.text(source) }
        record.endLeading(finding.subject)
    }

    static func row(of record: Span<UInt8>) -> FindingRow {
        var fields = RecordReader(record)
        let subject = fields.leading()
        let evidence = fields.text()
        let severity = Severity(rawValue: fields.byte()) ?? .info
        let rule = min(max(0, fields.int()), RuleBook.rules.count - 1)
        return FindingRow(
            severity: severity, rule: RuleBook.rules[rule].documentation.id, subject: subject,
            claims: fields.int(), devices: fields.int(), accounts: fields.int(),
            sources: fields.texts(), evidence: evidence)
    }
}
