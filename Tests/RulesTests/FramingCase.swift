import Checks
import Encodings
import Inputs
import Proofs
import Receipts
import Testing

@testable import Rules

/// Claims of a victim and of others, and what all rules say of them.
struct FramingCase {
    private(set) var claims: [(presented: Observation, digest: Digest?, purchases: [Purchase])] = []
    /// The numbers of the victims' claims, and the subjects that must not be accused.
    private(set) var victims: Set<ClaimNumber> = []
    private(set) var protected: Set<ExactText> = []
    /// What Apple told the company's server.
    private(set) var told: [ClaimObservations] = []

    /// Whose claim it is.
    enum Party { case victim, stranger }

    /// Adds a claim.
    ///
    /// - Parameters:
    ///   - receipt: the number of the proof's content; `nil` for something that is not a proof.
    ///   - device: `nil` for none.
    ///   - hour: of the day; at 0 nothing is known but the day.
    mutating func add(
        _ party: Party, device: Int?, account: ExactText = "", receipt: Int?, hash: DeviceHashResult = .mismatch,
        isGenuine: Bool = true, day: Int? = 0, hour: Int64 = 0, created: Int = -10, asking: ExactText = "",
        malformed: ExactText = "",
        environment: ExactText = "Production", token: Token? = nil, purchases: [Purchase] = []
    ) {
        let number = UInt64(claims.count)
        var observation = Observation(claim: ClaimNumber(rawValue: number), source: "claims.csv:\(number + 2)")
        observation.id = ClaimID(high: stableMix(number + 1), low: UInt32(truncatingIfNeeded: number))
        observation.device = device.flatMap { deviceNumbered($0) }
        observation.deviceHash = device == nil ? .notChecked : hash
        observation.malformedDevice = malformed
        observation.accountID = account
        observation.presentedAt = day.map { Self.date($0).adding(seconds: hour * 3600) }
        observation.askedProduct = asking
        if isGenuine, receipt != nil {
            observation.isGenuine = true
            observation.bundleID = "com.example.notes"
            observation.environment = environment
            observation.createdAt = Self.date(created)
            observation.originalPurchaseDate = token == nil ? Self.date(-1000) : nil
        }
        if let token, isGenuine {
            observation.kind = .transaction
            observation.isBound = token.nonce != nil
            observation.nonce = token.nonce.map { "nonce-\($0)" } ?? ""
            observation.appTransactionID = token.person
            observation.tokenDigest = Array(repeating: UInt8(truncatingIfNeeded: receipt ?? 0), count: 32)
        }
        let digest = receipt.map { Digest(octets: Array(repeating: UInt8(truncatingIfNeeded: $0), count: 32)) }
        claims.append((observation, digest, observation.isGenuine ? purchases : []))
        guard party == .victim else { return }
        victims.insert(ClaimNumber(rawValue: number))
        if let device = observation.device { protected.insert("device:\(device)") }
        if !account.isEmpty { protected.insert("account:\(account)") }
    }

    /// Gives a claim another id.
    mutating func rename(_ claim: Int, _ id: ClaimID) { claims[claim].presented.id = id }

    /// Adds what Apple told the company's server of a purchase.
    ///
    /// - Parameter signed: the day on which it was signed.
    mutating func tell(_ purchase: Purchase, signed: Int) {
        var observation = Observation(
            claim: ClaimNumber(rawValue: 1 << 62 | UInt64(told.count)), source: "told.jws:\(told.count + 1)")
        observation.id = ClaimID(high: stableMix(1 << 62 | UInt64(told.count)), low: 0)
        (observation.isEvidence, observation.isGenuine, observation.isBound) = (true, true, false)
        (observation.bundleID, observation.environment) = ("com.example.notes", "Production")
        (observation.kind, observation.createdAt) = (.transaction, Self.date(signed))
        told.append(ClaimObservations(presented: observation, contentDigest: nil, purchases: [purchase]))
    }

    /// The same without what strangers present.
    var ofVictims: FramingCase {
        var own = self
        own.claims.removeAll { !victims.contains($0.presented.claim) }
        return own
    }

    /// The statement that counts for each item, out of all evidence.
    private var statements: [ExactText: EvidenceStatement] {
        var counting: [ExactText: EvidenceStatement] = [:]
        for statement in told.flatMap({ EvidenceStatement.statements(of: $0) }) {
            if let other = counting[statement.item], !statement.counts(before: other) { continue }
            counting[statement.item] = statement
        }
        return counting
    }

    /// What makes a proof a token: its nonce, unless it comes from a server, and whose it is.
    struct Token {
        var nonce: Int?
        var person: ExactText = ""
    }

    /// A day of 2026, from 1 January.
    static func date(_ day: Int) -> Instant { Instant(seconds: 1_767_225_600 + Int64(day) * 86_400) }

    static func purchase(
        _ transaction: Int, product: ExactText = "gold", kind: Purchase.Kind = .nonConsumable, day: Int = -20,
        refunded: Int? = nil, expires: Int? = nil, isTrial: Bool = false
    ) -> Purchase {
        var purchase = Purchase(productID: product, transactionID: "46000\(transaction)", purchaseDate: date(day))
        purchase.kind = kind
        purchase.cancellationDate = refunded.map(date)
        purchase.expiresDate = expires.map(date)
        purchase.isTrialPeriod = isTrial
        return purchase
    }

    /// A purchase as a transaction token shows it.
    static func bought(
        _ transaction: Int, product: ExactText = "gold", day: Int = -20, refunded: Int? = nil, expires: Int? = nil,
        isTrial: Bool = false, storefront: ExactText = "DEU", sharingEnded: Int? = nil, isShared: Bool = false
    ) -> Purchase {
        var purchase = purchase(
            transaction, product: product, kind: expires == nil ? .nonConsumable : .autoRenewable, day: day,
            refunded: refunded ?? sharingEnded, expires: expires, isTrial: isTrial)
        var details = TransactionDetails()
        details.storefront = storefront
        details.ownership = isShared ? "FAMILY_SHARED" : "PURCHASED"
        details.revocationType = sharingEnded != nil ? "FAMILY_REVOKE" : nil
        details.offerType = isTrial ? 1 : nil
        purchase.details = details
        return purchase
    }

    /// What is found, and the highest mark of each claim under each rule.
    struct Outcome {
        var findings: [Finding] = []
        var marks: [ClaimNumber: [ExactText: Severity]] = [:]

        func severity(_ rule: ExactText) -> Severity? {
            findings.filter { $0.ruleID == rule }.map(\.severity).max()
        }

        /// The highest mark of any claim under a rule.
        func mark(_ rule: ExactText) -> Severity? { marks.values.compactMap { $0[rule] }.max() }
    }

    /// Evaluates all groups, and rings.
    func outcome() throws -> Outcome {
        let rules = RuleSet(Policy())
        var groups: [GroupKey: [Observation]] = [:]
        var (outcome, joining): (Outcome, [(Finding, [ClaimNumber: Severity])]) = (Outcome(), [])
        let statements = statements
        let presented = claims.map {
            ClaimObservations(presented: $0.presented, contentDigest: $0.digest, purchases: $0.purchases)
        }
        for claim in presented + told {
            let all = claim.amended { item, _, _ in statements[item] } ?? claim
            all.forEach { kind, octets, purchases in
                var observation = claim.presented
                observation.purchases = purchases
                groups[GroupKey(kind, octets: octets.indices.map { octets[$0] }), default: []].append(observation)
            }
        }
        let search = RingSearch(rules)
        for (key, observations) in groups.sorted(by: { $0.key.octets.lexicographicallyPrecedes($1.key.octets) }) {
            try rules.evaluate(
                ArrayGroup(key, observations),
                onFinding: {
                    outcome.findings.append($0)
                    if search.isJoining($0) { joining.append(($0, [:])) }
                },
                onMark: { finding, claim, severity in
                    outcome.add(severity, of: finding.ruleID, on: claim.claim)
                    guard search.isJoining(finding) else { return }
                    joining[joining.count - 1].1[claim.claim] = severity
                })
        }
        var rings = search
        for (finding, _) in joining { rings.join(finding) }
        for ring in rings.rings() {
            outcome.findings.append(ring.finding)
            for (claim, severity) in ring.members.flatMap({ joining[$0].1 }) {
                outcome.add(min(FraudRing.severity(of: severity), ring.worstMark), of: "fraud-ring", on: claim)
            }
        }
        return outcome
    }

    /// Expects that no critical or high finding names a victim, and none marks a victim's matching claim above info, or
    /// above what the rule says of the victim's claims alone.
    func expectFairness(
        _ outcome: Outcome, besides own: Outcome = Outcome(), _ location: SourceLocation = #_sourceLocation
    ) {
        expectNoVictimNamed(outcome, location)
        for (number, marks) in outcome.marks where victims.contains(number) {
            guard claims[Int(number.rawValue)].presented.isMatching else { continue }
            let known = own.marks[number] ?? [:]
            let accused = marks.filter { $0.value > max(.info, known[$0.key] ?? .info) }
            #expect(accused.isEmpty, "claim \(number): \(accused)", sourceLocation: location)
        }
    }

    /// Expects that no critical or high finding names a victim, and no claim of a victim is marked above medium: all that
    /// can be had where a thief's claims match, too.
    func expectMildness(_ outcome: Outcome, _ location: SourceLocation = #_sourceLocation) {
        expectNoVictimNamed(outcome, location)
        for (number, marks) in outcome.marks where victims.contains(number) {
            let accused = marks.filter { $0.value > .medium }
            #expect(accused.isEmpty, "claim \(number): \(accused)", sourceLocation: location)
        }
    }

    private func expectNoVictimNamed(_ outcome: Outcome, _ location: SourceLocation) {
        for finding in outcome.findings where finding.severity >= .high {
            let subjects = [
                finding.subject,
                finding.involved.onlyDevice(at: finding.severity, about: finding.subject).map { "device:\($0)" },
                finding.involved.onlyAccount.map { "account:\($0)" },
            ]
            for case .some(let subject) in subjects {
                #expect(!protected.contains(subject), "\(finding.ruleID) \(finding.subject)", sourceLocation: location)
            }
        }
    }
}

extension FramingCase.Outcome {
    fileprivate mutating func add(_ severity: Severity, of rule: ExactText, on claim: ClaimNumber) {
        let known = marks[claim, default: [:]][rule] ?? .info
        marks[claim, default: [:]][rule] = max(known, severity)
    }
}
