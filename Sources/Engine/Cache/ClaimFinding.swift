import Encodings
import Rules

/// A finding about one claim by itself, as it is written down and read again.
struct ClaimFinding {
    let rule: Int
    let severity: Severity
    let subject: ExactText
    /// Where it stands in the table `fraud`, and its row there.
    let prefix: UInt64
    let record: [UInt8]

    init(_ finding: Finding) {
        rule = finding.rule
        severity = finding.severity
        subject = finding.subject
        prefix = FindingRecord.prefix(of: finding)
        var record = RecordWriter()
        FindingRecord.write(finding, to: &record)
        self.record = record.bytes
    }

    init(_ fields: inout RecordReader) {
        rule = min(max(0, fields.int()), RuleBook.rules.count - 1)
        severity = Severity(rawValue: fields.byte()) ?? .info
        subject = fields.text()
        prefix = fields.sortable()
        record = fields.octets()
    }

    func write(to fields: inout RecordWriter) {
        fields.number(UInt64(rule))
        fields.byte(severity.rawValue)
        fields.text(subject)
        fields.sortable(prefix)
        fields.octets(record)
    }

    /// As far as it matters for counting it, and for what the policy allows.
    var finding: Finding {
        Finding(severity: severity, rule: rule, subject: subject, involved: Involved(), evidence: "")
    }
}
