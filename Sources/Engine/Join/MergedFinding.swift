package import Checks
import Encodings
package import Inputs
package import Rules

/// All findings of one rule about one subject: a row of the table `fraud`.
///
/// A rule has several findings about one subject if several rows present one claim, or if several groups of claims
/// concern one original transaction. They are merged, in any order.
package struct MergedFinding: Sendable {
    /// The maximum number of different texts of evidence.
    private static let maxEvidence = 10

    package private(set) var id: FindingID
    package private(set) var finding: Finding
    /// The distinct texts of evidence, each with its highest severity: the most severe first, then in byte order.
    private var evidence: [Evidence]
    private var isMoreEvidence = false

    private struct Evidence: Comparable {
        var severity: Severity
        var text: ExactText

        static func < (a: Evidence, b: Evidence) -> Bool { (b.severity, a.text) < (a.severity, b.text) }
    }

    package init(_ finding: Finding, id: FindingID) {
        self.id = id
        self.finding = finding
        evidence = [Evidence(severity: finding.severity, text: ExactText(finding.evidence))]
    }

    /// Adds another finding of the same rule about the same subject.
    package mutating func add(_ other: MergedFinding) {
        finding.add(other.finding)
        let texts = (evidence + other.evidence).filter { !$0.text.isEmpty }.map { ($0.text, $0.severity) }
        let all = Dictionary(texts, uniquingKeysWith: max).map { Evidence(severity: $0.value, text: $0.key) }.sorted()
        isMoreEvidence = isMoreEvidence || other.isMoreEvidence || all.count > Self.maxEvidence
        evidence = Array(all.prefix(Self.maxEvidence))
    }

    /// Lowers a finding in a wave.
    package mutating func lowerInWave() {
        finding.lowerInWave()
        evidence = evidence.map {
            Evidence(severity: min(.medium, $0.severity), text: "\($0.text); \(ClaimWave.note)")
        }
    }

    /// Removes the accounts that are placeholders of the run.
    package mutating func remove(_ placeholders: AccountPlaceholders) { finding.involved.remove(placeholders) }

    /// Codes the id first, so that records of one finding sort together.
    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.identity(&id)
        try coder.rule(&finding.rule)
        try coder.code(&finding.severity)
        try coder.text(&finding.subject)
        try coder.number(&finding.wave)
        var sources = finding.involved.sources.names
        try coder.texts(&sources)
        if Coder.isReading { finding.involved.sources = FirstSources(sources) }
        try finding.codeRest(&coder)
        try coder.list(&evidence, of: Evidence(severity: .info, text: "")) { (evidence, coder) throws(Coder.Failure) in
            try coder.code(&evidence.severity)
            try coder.text(&evidence.text)
        }
        try coder.bool(&isMoreEvidence)
    }

    package static var unread: MergedFinding { MergedFinding(.unread, id: .none) }

    /// Returns the row of the table `fraud`.
    package func row(_ rules: RuleSet) -> FindingRow {
        let involved = finding.involved
        var row = FindingRow(
            id: id, severity: finding.severity, confidence: finding.confidence, rule: finding.ruleID,
            subject: finding.subject)
        row.claims = involved.claims
        row.devices = involved.devices.count
        row.accounts = involved.accounts.count
        row.sources = involved.sources.names
        row.evidence = evidenceText
        row.events = finding.events
        row.bundleID = involved.app.text
        row.productID = involved.product.text
        let device = involved.onlyDevice(at: finding.severity, about: finding.subject)
        row.deviceID = device.map { ExactText($0.description) } ?? ""
        row.accountID = involved.onlyAccount ?? ""
        (row.atStake, row.unpriced) = finding.stake.amount(rules)
        row.lastPresented = involved.lastPresented
        return row
    }

    private var evidenceText: String {
        var text = evidence.map(\.text.text).joined(separator: "; ")
        if isMoreEvidence { text += "; and more" }
        let involved = finding.involved
        if !involved.claimIDs.isExact { text += "; the number of claims is an estimate" }
        if !involved.devices.isExact { text += "; the number of devices is an estimate" }
        if !involved.accounts.isExact { text += "; the number of accounts is an estimate" }
        return text
    }
}

extension MergedFinding: RecordPart {
    package var prefix: UInt64 { id.high }

    func isPart(ofSameAs other: MergedFinding) -> Bool { id == other.id }
}
