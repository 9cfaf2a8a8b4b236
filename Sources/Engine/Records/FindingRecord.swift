import Encodings
import Files
import Rules

/// A finding as a record that sorts as the table `fraud` does: worst first, then by rule, subject, evidence, and last by all
/// else that stands in the row, byte by byte. So rows of which every word is the same are the only ones that tie.
enum FindingRecord {
    /// The place of each rule in the order of ids.
    private static let ranks: [UInt64] = {
        let ids = RuleBook.rules.map { $0.documentation.id }
        let sorted = ids.sorted()
        return ids.map { UInt64(sorted.firstIndex(of: $0) ?? 0) }
    }()

    static func prefix(of finding: Finding) -> UInt64 {
        prefix(finding.severity, rule: finding.rule, finding.subject)
    }

    static func prefix(_ severity: Severity, rule: Int, _ subject: ExactText) -> UInt64 {
        var prefix = UInt64(Severity.critical.rawValue - severity.rawValue) << 8 | ranks[rule]
        var rest = subject.utf8.makeIterator()
        for _ in 0..<6 { prefix = prefix << 8 | UInt64(rest.next() ?? 0) }
        return prefix
    }

    static func write(_ finding: Finding, to record: inout RecordWriter) {
        let involved = finding.involved
        write(
            FindingRow(
                severity: finding.severity, rule: finding.ruleID, subject: finding.subject, claims: involved.claims,
                devices: involved.devices.count, accounts: involved.accounts.count, sources: involved.sources.names,
                evidence: finding.evidence),
            rule: finding.rule, to: &record)
    }

    /// - Parameter rule: the rule's place in the book.
    static func write(_ row: FindingRow, rule: Int, to record: inout RecordWriter) {
        let sources = ExactText(row.sources.map(\.text).joined(separator: ";"))
        let evidence = ExactText(row.evidence)
        record.leading(row.subject)
        record.leading(evidence)
        record.leading(sources)
        record.byte(row.severity.rawValue)
        record.number(UInt64(rule))
        record.number(UInt64(max(0, row.claims)))
        record.number(UInt64(max(0, row.devices)))
        record.number(UInt64(max(0, row.accounts)))
        record.number(UInt64(row.sources.count))
        for source in row.sources { record.number(UInt64(source.utf8.count)) }
        record.endLeading(sources)
        record.endLeading(evidence)
        record.endLeading(row.subject)
    }

    static func row(of record: Span<UInt8>) -> FindingRow {
        var fields = RecordReader(record)
        let subject = fields.leading()
        let evidence = fields.leading(1)
        let sources = fields.leading(2)
        let severity = Severity(rawValue: fields.byte()) ?? .info
        let rule = min(max(0, fields.int()), RuleBook.rules.count - 1)
        return FindingRow(
            severity: severity, rule: RuleBook.ids[max(0, rule)], subject: subject, claims: fields.int(),
            devices: fields.int(), accounts: fields.int(), sources: parts(of: sources, &fields), evidence: evidence.text
        )
    }

    /// Takes joined sources apart by their lengths: there may be a `;` in any of them.
    private static func parts(of sources: ExactText, _ fields: inout RecordReader) -> [ExactText] {
        var rest = Substring(sources.text).utf8
        return (0..<fields.count()).map { _ in
            let part = ExactText(String(Substring(rest.prefix(fields.int()))))
            rest = rest.dropFirst(part.utf8.count + 1)
            return part
        }
    }
}
