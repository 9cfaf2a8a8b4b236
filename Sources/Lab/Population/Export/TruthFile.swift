import Encodings
import FoundationEssentials

/// `truth.json`: the findings and subscriptions that an audit of the export must report.
public struct TruthFile: Codable, Sendable {
    public var version = 1
    public var asOf: String
    public var claims: Int
    public var seed: UInt64
    public var forgeryShare: Double
    public var plantShare: Double
    /// `nil` in files from before there were tokens.
    public var tokenShare: Double?
    /// The findings in the order of a report.
    public var findings: [ExpectedFinding]
    /// The clusters whose thieves use tactics; `nil` if there are none.
    public var tactics: [PlantedTactic]?
    /// The refunds that only `evidence.ndjson` shows, in claim order; `nil` in files from before there were any.
    public var lateRefunds: [LateRefund]?
    /// The customers who need help, in the last lines of `evidence.ndjson`; `nil` in files from before there were any.
    public var support: [SupportCase]?
    /// The subscriptions in the order of a report; `nil` in files from before there were any.
    public var subscriptions: [ExpectedSubscription]?

    public init(_ export: SampleExport) {
        asOf = SampleExport.asOf.description
        claims = export.count
        seed = export.seed
        forgeryShare = export.forgeryShare
        plantShare = export.plantShare
        tokenShare = export.tokenShare
        findings = export.expectedFindings()
        let tactics = export.plantedTactics()
        self.tactics = tactics.isEmpty ? nil : tactics
        lateRefunds = export.lateRefunds()
        support = export.supportCases()
        subscriptions = export.expectedSubscriptions()
    }

    enum CodingKeys: String, CodingKey {
        case version, claims, seed, findings, tactics, subscriptions, support
        case asOf = "as_of"
        case forgeryShare = "forgery_share"
        case plantShare = "plant_share"
        case lateRefunds = "late_refunds"
        case tokenShare = "token_share"
    }

    /// Returns the file: the same truth gives the same bytes. Subscriptions, of which there are many, have one line
    /// each.
    public func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        var head = self
        head.subscriptions = nil
        var bytes = Array(try encoder.encode(head))
        guard let subscriptions else { return bytes + [0x0a] }
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Replaces the brace that ends the object and the line break before it.
        bytes.removeLast(2)
        bytes += Array(",\n  \"subscriptions\" : [".utf8)
        for (number, subscription) in subscriptions.enumerated() {
            bytes += Array((number == 0 ? "\n    " : ",\n    ").utf8)
            bytes += Array(try encoder.encode(subscription))
        }
        return bytes + Array("\n  ]\n}\n".utf8)
    }
}

/// A finding that an audit of an export must report.
public struct ExpectedFinding: Sendable, Hashable, Codable {
    public enum Severity: String, CaseIterable, Codable, Sendable {
        case critical, high, medium, low, info
    }

    /// The rule by its id.
    public var rule: String
    public var severity: Severity
    /// `claim:…`, `receipt:…`, `transaction:…`, `device:…`, `account:…` or `app:…`.
    public var subject: String
    /// The names of all involved claims, in claim order.
    public var sources: [String]
    /// The number of distinct devices that those claims name.
    public var devices: Int
    /// The number of distinct accounts that those claims name.
    public var accounts: Int

    public init(
        rule: String, severity: Severity, subject: String, sources: [String], devices: Int, accounts: Int
    ) {
        self.rule = rule
        self.severity = severity
        self.subject = subject
        self.sources = sources
        self.devices = devices
        self.accounts = accounts
    }

    /// Orders findings: the worst first, then by rule, then by subject.
    public static func isBefore(_ a: ExpectedFinding, _ b: ExpectedFinding) -> Bool {
        if a.severity != b.severity { return a.severity.rank < b.severity.rank }
        if a.rule != b.rule { return a.rule < b.rule }
        return a.subject.utf8.lexicographicallyPrecedes(b.subject.utf8)
    }
}

extension ExpectedFinding.Severity {
    var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
}

extension SampleExport {
    /// Returns all findings that an audit of the export with its policy must report: the worst first, then by rule and
    /// subject.
    ///
    /// Memory grows with the findings, not with the claims.
    public func expectedFindings() -> [ExpectedFinding] {
        var findings: [ExpectedFinding] = []
        for number in 0..<layout.clusters { findings += cluster(number).expectedFindings(by: authorities) }
        for index in 0..<count where plantedMember(at: index) == nil { findings += findingsByItself(at: index) }
        return Self.merged(findings).sorted(by: ExpectedFinding.isBefore)
    }

    /// Merges the findings about one case, which several claims present, into one of the worst severity.
    private static func merged(_ findings: [ExpectedFinding]) -> [ExpectedFinding] {
        var merged: [ExpectedFinding] = []
        var places: [[String]: Int] = [:]
        for finding in findings {
            guard let place = places[[finding.rule, finding.subject]] else {
                places[[finding.rule, finding.subject]] = merged.count
                merged.append(finding)
                continue
            }
            let line = { (source: String) in Int(source.split(separator: ":").last ?? "") ?? 0 }
            merged[place].sources = (merged[place].sources + finding.sources).sorted { line($0) < line($1) }
            if finding.severity.rank < merged[place].severity.rank { merged[place].severity = finding.severity }
        }
        return merged
    }

    /// Returns the findings of the planted clusters of one kind, by cluster.
    public func expectedFindings(of plant: Plant) -> [[ExpectedFinding]] {
        (0..<layout.clusters).filter { PlantLayout.plant(of: $0) == plant }.map {
            cluster($0).expectedFindings(by: authorities)
        }
    }

    /// Returns the findings of a claim outside clusters.
    private func findingsByItself(at index: Int) -> [ExpectedFinding] {
        let forgery = forgery(at: index)
        let draft =
            forgery?.draft(from: ClaimDraft(index: index, seed: seed, asOf: Self.asOf), seed: seed)
            ?? honestDraft(at: index)
        let leavesEvidence = forgery?.leavesEvidence != false
        let outcomes = leavesEvidence ? draft.outcomes : []
        let refunds = leavesEvidence ? draft.readable.filter { $0.cancelledAt != nil } : []
        guard forgery?.raises != nil || !outcomes.isEmpty else { return [] }
        var findings: [ExpectedFinding] = []
        func expect(_ rule: Plant, _ severity: ExpectedFinding.Severity?, _ subject: String) {
            findings.append(
                ExpectedFinding(
                    rule: rule.rawValue, severity: severity ?? rule.severity, subject: subject,
                    sources: [SampleClaim.source(at: index)],
                    devices: draft.row.namesDevice && forgery != .deviceIDMalformed ? 1 : 0,
                    accounts: draft.row.accountID.isEmpty ? 0 : 1))
        }
        let subject = "claim:" + draft.row.caseID(proof: proof(of: draft, forgery))
        if let rule = forgery?.raises { expect(rule, nil, subject) }
        for outcome in outcomes { expect(outcome.rule, outcome.severity, subject) }
        let days = Set(refunds.compactMap { $0.cancelledAt.map { $0.seconds / Int64(PurchaseHistory.day) } })
        guard refunds.count >= 3, days.count >= 3 else { return findings }
        if !draft.row.accountID.isEmpty {
            expect(.repeatRefunds, nil, "account:" + draft.row.accountID)
        } else if !draft.row.deviceID.isEmpty, forgery != .deviceIDMalformed, forgery != .guidMismatch {
            expect(.repeatRefunds, nil, "device:" + draft.receipt.device.text)
        }
        return findings
    }

    /// Returns the bytes that identify a claim's proof: the content, if the store signed it in the form of the App
    /// Store.
    private func proof(of draft: ClaimDraft, _ forgery: Forgery?) -> [UInt8] {
        switch forgery {
        case nil, .malformedReceipt, .malformedInAppPurchase, .deviceIDMalformed, .guidMismatch, .bundleIDMismatch,
            .appVersionMismatch, .environmentMismatch, .receiptExpired:
            draft.content
        // Without a signature there is no file, and the claim's id matches no other, so a comparison fails.
        default: (try? claim(at: draft.index))?.file?.bytes ?? []
        }
    }
}
