import Checks
import Encodings
import FoundationEssentials
import Inputs
import Receipts
import Rules
import SampleStore
import Testing

@testable import Engine

/// Links as they describe the accounts, devices and so on that findings are about.
struct `An entity` {
    private static let phone = Device(octets: [UInt8](1...16).span)
    private static let untrusted = RuleBook.ids.firstIndex(of: "untrusted-signer") ?? 0
    private static let shared = RuleBook.ids.firstIndex(of: "shared-receipt") ?? 0

    /// A claim with all that a claim can say.
    private static func facts(_ claim: UInt32 = 1, matching: Bool = true) -> LinkFacts {
        var facts = LinkFacts()
        facts.claim = ClaimID(high: 9, low: claim)
        facts.accountID = "ana"
        facts.device = phone
        facts.deviceHash = matching ? .match : .mismatch
        facts.receiptSHA256 = [0xab, 0xcd]
        facts.isGenuine = true
        facts.verdict = .valid
        facts.bundleID = "com.example.notes"
        facts.personID = "7001"
        facts.originalTransactionID = "1000"
        facts.untrustedSigner = [0xef]
        facts.presentedAt = .utc(2026, 1, Int(claim))
        return facts
    }

    private func entities(_ facts: LinkFacts, rule: Int = shared, subject: ExactText = "receipt:abcd") -> [String] {
        var found: [String] = []
        facts.forEachEntity(ofRule: rule, subject: Entity(subject: subject)) {
            found.append("\($0.kind.code) \($0.id)")
        }
        return found
    }

    @Test func `is named by the claim, and by the signer where that is untrusted`() {
        let all = [
            "account ana", "device \(Self.phone?.description ?? "")", "person 7001", "transaction 1000", "receipt abcd",
        ]
        #expect(entities(Self.facts()) == all)
        #expect(entities(Self.facts(), rule: Self.untrusted, subject: "claim:1") == all + ["signer ef"])
    }

    @Test func `that is a device or a person is not named by a claim that does not match`() {
        #expect(entities(Self.facts(matching: false)) == ["account ana", "transaction 1000", "receipt abcd"])
        var forged = Self.facts()
        forged.isGenuine = false
        #expect(!entities(forged).contains { $0.hasPrefix("device") || $0.hasPrefix("person") })
    }

    @Test func `that a finding is about is named by all of its claims, once`() {
        let stranger = Self.facts(matching: false)
        #expect(entities(stranger, subject: "person:8")[0] == "person 8")
        #expect(entities(stranger, subject: "transaction:1000").filter { $0 == "transaction 1000" }.count == 1)
        #expect(entities(Self.facts(), subject: "person:7001").filter { $0.hasPrefix("person") } == ["person 7001"])
        // What others submit makes nobody's account or device part of a finding.
        #expect(Entity(subject: "account:bob") == nil && Entity(subject: "device:1") == nil)
    }

    private static func finding(
        _ id: UInt64, rule: Int, _ severity: Severity, _ confidence: Confidence = .likely
    ) -> EntityFinding {
        var finding = EntityFinding()
        (finding.id, finding.rule) = (FindingID(high: id, low: 0), rule)
        (finding.severity, finding.confidence) = (severity, confidence)
        return finding
    }

    private func row(_ findings: [EntityFinding], _ claims: [LinkFacts] = [], _ policy: Policy = Policy()) -> EntityRow
    {
        var parts = EntityAccumulator(Entity(.account, "ana"))
        for finding in findings { parts.add(.finding(finding)) }
        for claim in claims { parts.add(.claim(EntityClaim(claim))) }
        return parts.finish(RuleSet(policy))
    }

    @Test(arguments: [
        (Severity.critical, Confidence.likely, 1000), (.high, .likely, 300), (.medium, .likely, 100),
        (.low, .likely, 30), (.info, .likely, 10), (.critical, .possible, 500), (.critical, .doubtful, 200),
        (.info, .doubtful, 2),
    ])
    func `has the points of its mark, times its confidence, in tenths`(
        severity: Severity, confidence: Confidence, tenths: Int
    ) {
        #expect(row([Self.finding(1, rule: 0, severity, confidence)]).score == tenths)
    }

    @Test func `counts a rule once, with the finding that weighs most, and adds up rules`() {
        let found = row([
            Self.finding(1, rule: 3, .high, .doubtful), Self.finding(2, rule: 3, .medium),
            Self.finding(2, rule: 3, .low),
            Self.finding(3, rule: 5, .low),
        ])
        #expect(found.score == 100 + 30)
        #expect(found.findings == 3)
        #expect(found.worst == .high)
        #expect(found.rules == "\(RuleBook.ids[3]);\(RuleBook.ids[5])")
    }

    @Test func `counts what a review cleared, which weighs nothing and puts nothing at stake`() throws {
        var (cleared, open) = (Self.finding(1, rule: 3, .high), Self.finding(2, rule: 5, .low))
        let price = SignedPrice(millionths: 4_990_000, currency: "USD", signedAt: Instant(seconds: 0))
        let item = Stake.Item(bundleID: "com.example.notes", productID: "gold", price: price)
        cleared.stake = Stake([(transaction: .init("1"), item: item)], isComplete: true)
        #expect(row([cleared, open]).score == 330 && row([cleared, open]).atStake?.millionths == 4_990_000)
        cleared.status = .ok
        let found = row([cleared, open])
        #expect(found.score == 30 && found.atStake == nil && found.findings == 2 && found.worst == .high)
        open.status = .ok
        #expect(row([cleared, open]).score == 0 && row([cleared, open]).status == .ok)
        // What was confirmed stays in both.
        cleared.status = .fraud
        #expect(row([cleared]).score == 300 && row([cleared]).atStake?.millionths == 4_990_000)
    }

    @Test func `counts claims by verdict, each once, with the dates from first to last`() {
        var other = Self.facts(3)
        (other.verdict, other.accountID, other.device, other.bundleID) = (.invalid, "bob", nil, "")
        var last = Self.facts(4)
        (last.verdict, last.presentedAt) = (.unreadable, nil)
        let found = row([Self.finding(1, rule: 0, .low)], [Self.facts(2), Self.facts(2), other, last])
        #expect(found.claims == 3 && found.valid == 1 && found.invalid == 1 && found.unreadable == 1)
        #expect(found.devices == 1 && found.accounts == 2 && found.apps == 1)
        #expect(found.firstPresented == .utc(2026, 1, 2) && found.lastPresented == .utc(2026, 1, 3))
    }

    @Test func `is new if any of its findings is, and has no word on it without a comparison`() {
        var (old, new) = (Self.finding(1, rule: 0, .low), Self.finding(2, rule: 1, .low))
        #expect(row([old, new]).isNew == nil)
        (old.isNew, new.isNew) = (false, true)
        #expect(row([old]).isNew == false)
        #expect(row([old, new]).isNew == true)
    }

    @Test func `is part of the ring of its findings`() {
        let ring = Self.finding(7, rule: RuleBook.ringNumber, .critical)
        #expect(row([Self.finding(1, rule: 0, .low), ring]).ring == ring.id)
        #expect(row([Self.finding(1, rule: 0, .low)]).ring == nil)
    }

    @Test func `has each transaction at stake once, and counts those without a price`() {
        var policy = Policy()
        var gold = Product()
        gold.price = Product.Price(millionths: 4_990_000, currency: "EUR")
        policy.apps["app"] = Policy.App(products: ["gold": gold])
        let item = { (product: ExactText) in Stake.Item(bundleID: "app", productID: product) }
        var (first, second) = (Self.finding(1, rule: 0, .low), Self.finding(2, rule: 1, .low))
        first.stake = Stake([(.init("1"), item("gold")), (.init("2"), item("silver"))], isComplete: true)
        second.stake = Stake([(.init("1"), item("gold")), (.init("3"), item("gold"))], isComplete: true)
        let found = row([first, second], [], policy)
        #expect(found.atStake == AmountAtStake(millionths: 9_980_000, currency: "EUR"))
        #expect(found.unpriced == 1)
    }

    @Test func `and what is said of it are read from records as they were written`() throws {
        var finding = Self.finding(1, rule: 2, .high)
        finding.isNew = true
        let price = SignedPrice(millionths: 5, currency: "EUR", signedAt: Instant(milliseconds: 7))
        let item = Stake.Item(bundleID: "a", productID: "b", price: price, isMember: true)
        finding.stake = Stake([(.init("1", in: "Sandbox"), item)], isComplete: false)
        for part in [EntityPart.finding(finding), .claim(EntityClaim(Self.facts())), .claim(EntityClaim())] {
            let found = try recoded(
                part, placeholder: .unread, write: { $0.code(&$1) },
                read: { (part, fields) throws(RecordError) in try part.code(&fields) })
            #expect("\(found)" == "\(part)")
        }
        var full = row([finding, Self.finding(4, rule: RuleBook.ringNumber, .low)], [Self.facts()])
        full.atStake = AmountAtStake(millionths: 7, currency: "EUR")
        full.isActive.toggle()
        for row in [full, EntityRow(Entity(.signer, "ab"))] {
            let found = try recoded(
                row, placeholder: EntityRow(Entity(.account, "")), write: { $0.code(&$1) },
                read: { (row, fields) throws(RecordError) in try row.code(&fields) })
            #expect(found == row)
        }
    }

    @Test func `names its findings, the highest mark first, and fifty at most`() {
        var findings = (1...60).map { Self.finding($0, rule: 2, .low) }
        findings.append(Self.finding(60, rule: 2, .critical))
        findings.append(Self.finding(61, rule: 2, .high))
        let found = row(findings, [])
        #expect(found.findings == 61 && found.marks.count == 50)
        #expect(found.marks.map(\.finding.high).prefix(4) == [60, 61, 1, 2])
        #expect(found.marks[0].severity == .critical)
    }

    @Test(arguments: [0, 1 << 20])
    func `comes in the order of score, what is at stake, presentation and id, active or not`(memory: Int) throws {
        let sorter = ValueSorter<Keyed<EntityOrder, EntityRow>>(
            Storage(memory: memory, folder: FileManager.default.temporaryDirectory.path()))
        func row(
            _ id: String, _ score: Int, isActive: Bool = true, stake: Int64? = nil, on day: Int64? = nil,
            _ kind: Entity.Kind = .account
        ) -> EntityRow {
            var row = EntityRow(Entity(kind, ExactText(id)))
            (row.score, row.isActive) = (score, isActive)
            row.atStake = stake.map { AmountAtStake(millionths: $0, currency: "EUR") }
            row.lastPresented = day.map { Instant(seconds: $0 * 86_400) }
            return row
        }
        let wanted = [
            row("resting", 900, isActive: false), row("score", 90), row("dear", 20, stake: 5),
            row("cheap", 20, stake: 4), row("late", 20, on: 2),
            row("early", 20, on: 1), row("a", 20), row("a", 20, .device), row("b", 20),
            row("old", 10, isActive: false),
        ]
        var rows = wanted
        for _ in rows.indices {
            rows.append(rows.removeFirst())
            for row in rows { try sorter.add(Keyed(EntityOrder(row), row)) }
            var found: [EntityRow] = []
            try sorter.forEach { found.append($0.value) }
            #expect(found == wanted)
        }
    }

    @Test func `is active if a claim was presented in the 30 days before the reference time`() {
        let asOf = Instant(seconds: 100 * 86_400)
        for (day, isActive) in [(70, true), (69, false), (100, true)] as [(Int64, Bool)] {
            var parts = EntityAccumulator(Entity(.account, "ana"))
            var claim = EntityClaim()
            claim.presentedAt = Instant(seconds: day * 86_400)
            parts.add(.claim(claim))
            #expect(parts.finish(RuleSet(Policy(), asOf: asOf)).isActive == isActive, "\(day)")
        }
        let undated = EntityAccumulator(Entity(.account, "ana"))
        #expect(!undated.finish(RuleSet(Policy(), asOf: asOf)).isActive)
    }
}
