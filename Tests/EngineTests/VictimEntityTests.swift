import Checks
import Encodings
import Inputs
import Rules
import Testing

@testable import Engine

/// Devices and people whose proofs somebody else may have sent, with the id of the device.
struct `An entity that may be a victim` {
    private static let phone = Device(octets: [UInt8](1...16).span)
    private static let foreignApp = RuleBook.ids.firstIndex(of: "foreign-app") ?? 0
    private static let sharedReceipt = RuleBook.ids.firstIndex(of: "shared-receipt") ?? 0

    /// A matching claim of an account.
    private static func facts(_ account: ExactText, _ claim: UInt32) -> LinkFacts {
        var facts = LinkFacts()
        facts.claim = ClaimID(high: 9, low: claim)
        facts.accountID = account
        (facts.device, facts.deviceHash, facts.isGenuine) = (phone, .match, true)
        facts.receiptSHA256 = [0xab]
        facts.personID = "7001"
        return facts
    }

    /// The worst mark of each entity, as its row has it.
    private static func worst(_ rule: Int, _ accounts: [ExactText]) -> [Entity.Kind: Severity] {
        var parts: [Entity: [EntityPart]] = [:]
        var expanded = EntityParts()
        var finding = FindingFacts()
        finding.finding.id = FindingID(high: 1, low: 0)
        finding.finding.rule = rule
        expanded.begin(finding)
        for (number, account) in accounts.enumerated() {
            let mark = Mark(finding: finding.finding.id, rule: rule, severity: .critical)
            let link = LinkRow(mark, facts(account, UInt32(number)), claim: ClaimNumber(rawValue: UInt64(number)))
            expanded.add(link) { parts[$0, default: []].append($1) }
        }
        var worst: [Entity.Kind: Severity] = [:]
        for (entity, parts) in parts {
            var row = EntityAccumulator(entity)
            for case .claim(let claim) in parts { row.add(.claim(claim)) }
            for case .finding(let finding) in parts { row.add(.finding(finding)) }
            let made = row.finish(RuleSet(Policy()))
            #expect(made.marks.map(\.severity) == [made.worst])
            worst[entity.kind] = made.worst
        }
        return worst
    }

    @Test func `is marked medium at most by a finding about one claim`() {
        let worst = Self.worst(Self.foreignApp, ["mallory"])
        #expect(worst == [.account: .critical, .device: .medium, .person: .medium, .receipt: .critical])
    }

    @Test func `is marked as its claims are where one account matches`() {
        let worst = Self.worst(Self.sharedReceipt, ["mallory", "mallory"])
        #expect(worst == [.account: .critical, .device: .critical, .person: .critical, .receipt: .critical])
    }

    @Test func `that is a device is marked medium at most where several accounts match on it`() {
        #expect(Self.worst(Self.sharedReceipt, ["ann", "mallory"])[.device] == .medium)
    }

    @Test func `that is a device is marked medium at most where others match on it without a finding`() {
        var row = EntityAccumulator(Entity(.device, "phone"))
        var finding = EntityFinding()
        finding.severity = .critical
        row.add(.crowd)
        row.add(.finding(finding))
        #expect(row.finish(RuleSet(Policy())).worst == .medium)
    }

    @Test(arguments: ["claim:1", "receipt:1", "transaction:1", "account:mallory", "device:phone"] as [ExactText])
    func `is named by a severe finding only if that is about the device itself`(subject: ExactText) throws {
        let phone = try #require(Self.phone)
        let isNamed = subject == "device:phone"
        let subject = isNamed ? ExactText("device:\(phone)") : subject
        var involved = Participants()
        involved.devices = DistinctSketch(Self.phone.map { [$0] } ?? [], isExact: true)
        involved.matchingDevices = involved.devices
        involved.accounts = DistinctSketch(["mallory"], isExact: true)
        for severity in [Severity.medium, .critical] {
            let finding = Finding(
                severity: severity, rule: Self.sharedReceipt, subject: subject, involved: involved, evidence: "")
            let row = MergedFinding(finding, id: .none).row(RuleSet(Policy()))
            #expect(row.deviceID.isEmpty == (severity == .critical && !isNamed))
        }
    }
}
