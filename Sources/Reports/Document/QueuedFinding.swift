import Checks
import Encodings
import Engine
import Rules

/// A finding for people: untrusted text is truncated, and its control characters are shown.
struct QueuedFinding {
    let id: FindingID
    let severity: Severity
    let confidence: String
    let rule: String
    let subject: String
    /// The exact subject for copying, if the shown text differs.
    let exact: String?
    /// The account and the device of the finding, each if it is the only one; empty if the subject already shows it.
    let presenter: String
    let counts: [Int]
    let sources: [String]
    let evidence: String
    let firstSeen: String
    /// The day of the latest presentation; empty if no claim is dated.
    let lastPresented: String
    let change: String
    let status: String
    let app: String
    let product: String
    let atStake: Summary.Cell
    /// The last decision in the ledger, by whom and why; `nil` without one.
    let decided: String?
    /// Its status in the ledger and when it was last decided, which an import compares; `nil` if nobody decided.
    let recorded: String?

    init(_ compared: ComparedFinding, maxEvidence: Int = 400) {
        let finding = compared.finding
        id = finding.id
        severity = finding.severity
        confidence = finding.confidence.code
        rule = TextLayout.safe(finding.rule, limit: 100)
        subject = TextLayout.safe(finding.subject, limit: 200)
        exact = CopiedText.encoded(finding.subject, shown: subject)
        presenter = [("account", finding.accountID), ("device", finding.deviceID)]
            .filter { !$0.1.isEmpty && finding.subject != "\($0.0):\($0.1.text)" }
            .map { "\($0.0) \(TextLayout.safe($0.1, limit: 100))" }.joined(separator: ", ")
        counts = [finding.claims, finding.devices, finding.accounts]
        sources = finding.sources.prefix(3).map { TextLayout.safe($0, limit: 120) }
        evidence = TextLayout.safe(finding.evidence, limit: maxEvidence)
        firstSeen = compared.firstSeen.map { $0.date } ?? ""
        lastPresented = finding.lastPresented.map { $0.date } ?? ""
        change = compared.change?.rawValue ?? ""
        status = compared.status.rawValue
        app = TextLayout.safe(finding.bundleID, limit: 100)
        product = TextLayout.safe(finding.productID, limit: 100)
        atStake = Summary.Cell(finding.atStake)
        decided = compared.decision.map { decision in
            "decided \(decision.disposition.rawValue) by \(TextLayout.safe(decision.by, limit: 60)) on \(decision.at.date)"
                + (decision.note.isEmpty ? "" : ": " + TextLayout.safe(decision.note, limit: 200))
        }
        recorded = compared.decision.map { "\(compared.status.rawValue) \($0.at)" }
    }
}

extension Summary.Cell {
    /// Formats an amount for people. A currency that is not a code of three letters is a token's untrusted text, and
    /// not shown.
    init(_ amount: AmountAtStake?) {
        guard let amount else {
            self = .none
            return
        }
        if CurrencyDecimals.isCode(amount.currency), !amount.isLeast {
            self = .money(amount.millionths, currency: amount.currency)
        } else {
            let least = amount.isLeast ? "at least " : ""
            self = .code(least + CurrencyDecimals.text(amount.millionths, amount.currency))
        }
    }
}
