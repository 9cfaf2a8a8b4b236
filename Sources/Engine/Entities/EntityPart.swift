package import Checks
package import Encodings
package import Inputs
package import Rules
package import Subscriptions

/// One fact about an entity: that several accounts match on it, one of its claims, a finding about it, or what customer
/// support asks and needs no finding: a refund request from Apple, a purchase that no claim presents, and whose it is.
package enum EntityPart: Recorded, Sendable {
    /// Several accounts match on the device, with findings or without.
    case crowd
    case claim(EntityClaim)
    case finding(EntityFinding)
    case request(RefundRequest)
    /// The account whose UUID is the entity's id.
    case owner(PurchaseOwner)
    /// A purchase for that UUID; without one, of the original transaction.
    case unclaimed(UnclaimedPurchase)

    /// Codes an id directly after the kind of part, so that sorted records keep each finding, claim or request
    /// together. What limits severities comes first, and owners come before their purchases.
    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        var kind: UInt8 =
            switch self {
            case .crowd: 0
            case .claim: 1
            case .finding: 2
            case .request: 3
            case .owner: 4
            case .unclaimed: 5
            }
        try coder.byte(&kind)
        switch kind {
        case 0: self = .crowd
        case 1:
            var claim = if case .claim(let claim) = self { claim } else { EntityClaim() }
            try claim.code(&coder)
            self = .claim(claim)
        case 2:
            var finding = if case .finding(let finding) = self { finding } else { EntityFinding() }
            try finding.code(&coder)
            self = .finding(finding)
        case 3:
            var request = if case .request(let request) = self { request } else { RefundRequest() }
            try request.code(&coder)
            self = .request(request)
        case 4:
            var owner = if case .owner(let owner) = self { owner } else { PurchaseOwner() }
            try owner.code(&coder)
            self = .owner(owner)
        case 5:
            var purchase = if case .unclaimed(let purchase) = self { purchase } else { UnclaimedPurchase() }
            try purchase.code(&coder)
            self = .unclaimed(purchase)
        default: try coder.reject()
        }
    }

    package static var unread: EntityPart { .claim(EntityClaim()) }
}

/// A finding about an entity.
package struct EntityFinding: Recorded, Sendable {
    package var id = FindingID.none
    package var rule = 0
    /// The severity of the mark on a claim of the entity.
    package var severity = Severity.info
    package var confidence = Confidence.doubtful
    /// Whether the finding is new; `nil` if there is nothing to compare with.
    package var isNew: Bool?
    package var status = FindingStatus.open
    /// What it puts at stake; empty if the rows of entities share it (``SharedStake``).
    package var stake = Stake()

    package init() {}

    package static var unread: EntityFinding { EntityFinding() }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.identity(&id)
        try coder.rule(&rule)
        try coder.code(&severity)
        try coder.code(&confidence)
        try coder.place(of: &status)
        var bits = try coder.beginBits()
        try coder.flag(&isNew, &bits)
        coder.end(bits)
        try stake.code(&coder)
    }
}

/// A claim of an entity.
package struct EntityClaim: Recorded, Sendable {
    package var id = ClaimID.none
    package var verdict = Verdict.unreadable
    package var device: Device?
    package var accountID: ExactText = ""
    /// The app; empty if no genuine proof names it.
    package var bundleID: ExactText = ""
    package var presentedAt: Instant?

    package init() {}

    package init(_ facts: LinkFacts) {
        id = facts.claim
        verdict = facts.verdict
        device = facts.device
        accountID = facts.accountID.boundedID
        bundleID = facts.bundleID
        presentedAt = facts.presentedAt
    }

    package static var unread: EntityClaim { EntityClaim() }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.identity(&id)
        try coder.place(of: &verdict)
        var bits = try coder.beginBits()
        try coder.device(&device, &bits)
        try coder.text(&accountID, &bits)
        try coder.text(&bundleID, &bits)
        try coder.instant(&presentedAt, &bits)
        coder.end(bits)
    }
}

/// The facts about a finding that entities need besides its links.
package struct FindingFacts: SortedRecord, Sendable {
    package var finding = EntityFinding()
    /// The subject, if it is an entity that each of its claims represents.
    package var subject: Entity?

    package init() {}

    package init(_ found: MergedFinding, isNew: Bool? = nil) {
        finding.id = found.id
        finding.rule = found.finding.rule
        finding.confidence = found.finding.confidence
        finding.stake = found.finding.stake
        finding.isNew = isNew
        subject = Entity(subject: found.finding.subject)
    }

    package static var unread: FindingFacts { FindingFacts() }

    package var prefix: UInt64 { finding.id.high }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try finding.code(&coder)
        var bits = try coder.beginBits()
        try coder.value(&subject, &bits)
        coder.end(bits)
    }
}

/// Turns the links of findings into parts of entities. The links of one finding must be consecutive.
package struct EntityParts {
    private var facts = FindingFacts()
    /// The entities for which the finding was written, each with the written severity: a finding has many links with
    /// one entity.
    private var written: [Entity: Severity] = [:]
    private static let maxWritten = 4096

    package init() {}

    /// Begins the links of a finding.
    package mutating func begin(_ facts: FindingFacts) {
        self.facts = facts
        written.removeAll(keepingCapacity: written.count < 64)
    }

    package mutating func add(_ link: LinkRow, _ body: (Entity, EntityPart) throws -> Void) rethrows {
        let claim = EntityPart.claim(EntityClaim(link.facts))
        try link.facts.forEachEntity(ofRule: link.rule, subject: facts.subject) { entity in
            try body(entity, claim)
            // A device with only matching claims may belong to a victim whose proof and id were copied; likewise a
            // person.
            let severity =
                RuleBook.isClaimRule(link.rule) && entity.canBeVictim ? min(.medium, link.severity) : link.severity
            if let known = written[entity], known >= severity { return }
            if written.count == Self.maxWritten { written.removeAll() }
            written[entity] = severity
            var finding = facts.finding
            finding.severity = severity
            try body(entity, .finding(finding))
        }
    }
}
