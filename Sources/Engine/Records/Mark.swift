import Rules

/// On a claim: that a finding is about it.
struct Mark: Sendable, Equatable {
    var rule: Int
    var severity: Severity
    /// The finding, if it may be part of a ring.
    var joining: JoiningID?

    func write(to record: inout RecordWriter) {
        record.number(UInt64(rule))
        record.byte(severity.rawValue)
        guard let joining else { return }
        record.number(UInt64(joining.worker) + 1)
        record.number(UInt64(joining.index))
    }

    init(rule: Int, severity: Severity) {
        self.rule = rule
        self.severity = severity
    }

    init(_ record: Span<UInt8>) {
        var fields = RecordReader(record)
        rule = Int(fields.number())
        severity = Severity(rawValue: fields.byte()) ?? .info
        let worker = Int(fields.number())
        if worker > 0 { joining = JoiningID(worker: worker - 1, index: Int(fields.number())) }
    }
}

/// Names a finding that may be part of a ring, until the run is over.
struct JoiningID: Hashable, Sendable {
    var worker: Int
    var index: Int
}
