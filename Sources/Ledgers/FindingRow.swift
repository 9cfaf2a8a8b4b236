internal import Encodings

/// A finding as it stands in the ledger: found by all runs from one to another, and perhaps by some before them.
struct FindingRow {
    var rule: ExactText
    var subject: ExactText
    var severity: Int64
    /// The time of the run that first found it, in milliseconds.
    var firstSeen: Int64
    var sinceRun: Int64
    var lastRun: Int64

    static let columns = "rule, subject, severity, first_seen, since_run, last_run, seal"

    /// Reads the columns, in this order.
    init(_ statement: Statement, of ledger: Connection) throws(LedgerError) {
        rule = ExactText(statement.text(0))
        subject = ExactText(statement.text(1))
        severity = statement.number(2)
        firstSeen = statement.number(3)
        sinceRun = statement.number(4)
        lastRun = statement.number(5)
        guard statement.number(6) == seal else {
            throw .damaged(path: ledger.name, reason: "a finding is not what it was")
        }
    }

    init(rule: ExactText, subject: ExactText, severity: Int64, firstSeen: Int64, run: Int64) {
        self.rule = rule
        self.subject = subject
        self.severity = severity
        self.firstSeen = firstSeen
        (sinceRun, lastRun) = (run, run)
    }

    func bind(to statement: Statement) {
        statement.bind(rule.text, at: 1)
        statement.bind(subject.text, at: 2)
        for (index, value) in [severity, firstSeen, sinceRun, lastRun, seal].enumerated() {
            statement.bind(value, at: Int32(index + 3))
        }
    }

    private var seal: Int64 {
        var seal = Checksum()
        seal.add(rule.text)
        seal.add(subject.text)
        for value in [severity, firstSeen, sinceRun, lastRun] { seal.add(value) }
        return seal.value
    }
}

/// Some runs that found a finding which the run after them did not.
struct EarlierFinding {
    var rule: ExactText
    var subject: ExactText
    var sinceRun: Int64
    var lastRun: Int64

    static let columns = "rule, subject, since_run, last_run, seal"

    init(of row: FindingRow) {
        (rule, subject, sinceRun, lastRun) = (row.rule, row.subject, row.sinceRun, row.lastRun)
    }

    /// Reads the columns, in this order.
    init(_ statement: Statement, of ledger: Connection) throws(LedgerError) {
        rule = ExactText(statement.text(0))
        subject = ExactText(statement.text(1))
        sinceRun = statement.number(2)
        lastRun = statement.number(3)
        guard statement.number(4) == seal else {
            throw .damaged(path: ledger.name, reason: "a finding is not what it was")
        }
    }

    func bind(to statement: Statement) {
        statement.bind(rule.text, at: 1)
        statement.bind(subject.text, at: 2)
        for (index, value) in [sinceRun, lastRun, seal].enumerated() { statement.bind(value, at: Int32(index + 3)) }
    }

    private var seal: Int64 {
        var seal = Checksum()
        seal.add(rule.text)
        seal.add(subject.text)
        seal.add(sinceRun)
        seal.add(lastRun)
        return seal.value
    }
}
