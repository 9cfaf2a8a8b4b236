package import Checks
package import Encodings
package import Files
package import Inputs
import Proofs
import Receipts
package import Rules

/// The columns about a claim in the tables `links` and `entities`.
package struct LinkFacts: Recorded, Sendable {
    package var claim = ClaimID.none
    package var source: ExactText = ""
    /// The device that presents the claim: the one that matches, otherwise the smallest usable.
    package var device: Device?
    package var accountID: ExactText = ""
    /// The SHA-256 of the signed content; empty if there is none.
    package var receiptSHA256: [UInt8] = []
    package var deviceHash = DeviceHashResult.notChecked
    package var presentedAt: Instant?
    package var verdict = Verdict.unreadable
    /// Whether Apple signed the proof. Only then does it name an app, a person and a transaction.
    package var isGenuine = false
    package var bundleID: ExactText = ""
    /// A token's `appTransactionId`.
    package var personID: ExactText = ""
    /// A token's original transaction.
    package var originalTransactionID: ExactText = ""
    /// SHA-256 of the signer's certificate, if the chain is not the App Store's.
    package var untrustedSigner: [UInt8] = []

    package init() {}

    package static var unread: LinkFacts { LinkFacts() }

    /// Whether Apple signed the proof for the device that presents it.
    package var isMatching: Bool { isGenuine && deviceHash == .match && device != nil }

    package init(_ facts: borrowing Facts) {
        claim = facts.id
        source = facts.claim.source
        device = facts.device
        accountID = facts.claim.account
        receiptSHA256 = facts.signature?.contentDigest.bytes ?? []
        deviceHash = facts.deviceHash
        presentedAt = facts.presentedAt
        verdict = facts.verdict
        untrustedSigner = facts.untrustedSigner
        guard facts.provenPurchases != nil else { return }
        setProven(facts.bundleID, facts.token?.appTransactionID, facts.token?.originalTransactionID)
    }

    /// Removes the account if it is a placeholder of the run.
    package mutating func remove(_ placeholders: AccountPlaceholders) {
        if placeholders.contains(accountID) { accountID = "" }
    }

    /// Sets the facts that only a proof signed by Apple shows.
    mutating func setProven(_ bundleID: ExactText?, _ person: ExactText?, _ original: ExactText?) {
        isGenuine = true
        self.bundleID = bundleID?.boundedID ?? ""
        personID = person?.boundedID ?? ""
        originalTransactionID = original?.boundedID ?? ""
    }

    /// Makes the facts of a claim of an earlier run from the ledger.
    init(_ observations: ClaimObservations) {
        let presented = observations.presented
        claim = presented.id
        source = presented.source
        device = presented.device
        accountID = presented.accountID
        receiptSHA256 = observations.contentDigest?.bytes ?? []
        deviceHash = presented.deviceHash
        presentedAt = presented.presentedAt
        verdict = presented.verdict
        guard presented.isGenuine else { return }
        let original = presented.kind == nil ? nil : observations.purchases.first?.original
        setProven(
            presented.bundleID, presented.appTransactionID,
            presented.renewedID.isEmpty ? original : presented.renewedID)
    }

    /// Codes the source first, because the ledger stores records without it.
    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text(&source)
        try coder.identity(&claim)
        var bits = try coder.beginBits()
        try coder.device(&device, &bits)
        try coder.text(&accountID, &bits)
        try coder.octets(&receiptSHA256, &bits)
        try coder.place(of: &deviceHash)
        try coder.instant(&presentedAt, &bits)
        try coder.place(of: &verdict)
        coder.flag(&isGenuine, &bits)
        try coder.text(&bundleID, &bits)
        try coder.text(&personID, &bits)
        try coder.text(&originalTransactionID, &bits)
        try coder.octets(&untrustedSigner, &bits)
        coder.end(bits)
    }
}

/// A row of the table `links`: a claim that a finding is about.
package struct LinkRow: Sendable {
    package var finding = FindingID.none
    package var rule = 0
    /// The mark's severity, which may differ from the finding's.
    package var severity = Severity.info
    package var facts = LinkFacts()
    /// The claim's number in the run, which identifies the first row of several with one id.
    package var claimNumber: ClaimNumber = 0
    /// Whether the claim is part of a ``ClaimWave``.
    package private(set) var isInWave = false

    package init() {}

    package init(_ mark: Mark, _ facts: LinkFacts, claim number: ClaimNumber) {
        finding = mark.finding
        rule = mark.rule
        severity = mark.severity
        self.facts = facts
        claimNumber = number
        isInWave = mark.wave != 0
    }

    /// Codes the sort key first: the finding's id, the claim's id, and the claim's number.
    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.identity(&finding)
        var claim = facts.claim
        try coder.identity(&claim)
        try coder.sortable(&claimNumber)
        try coder.rule(&rule)
        try coder.code(&severity)
        try coder.bool(&isInWave)
        try facts.code(&coder)
    }
}

/// The link of a claim that several input rows present to a finding: one link with the first source and the highest
/// mark.
extension LinkRow: RecordPart {
    package static var unread: LinkRow { LinkRow() }

    package var prefix: UInt64 { finding.high }

    func isPart(ofSameAs other: LinkRow) -> Bool { finding == other.finding && facts.claim == other.facts.claim }

    mutating func add(_ other: LinkRow) { severity = max(severity, other.severity) }
}

extension FieldCoder where Self: ~Escapable {
    /// Codes an id in twelve bytes, so that records sort by it.
    package mutating func identity(_ id: inout IdentityHash) throws(Failure) {
        var (high, low) = (id.high, id.low)
        try sortable(&high)
        for shift: UInt32 in [24, 16, 8, 0] {
            var octet = UInt8(truncatingIfNeeded: low >> shift)
            try byte(&octet)
            low = low & ~(0xff << shift) | UInt32(octet) << shift
        }
        id = IdentityHash(high: high, low: low)
    }
}

/// Sorts links into the order of the table: by the finding's id, then by the claim's.
package final class LinkSorter {
    private let sorter: ValueSorter<LinkRow>

    package init(_ storage: Storage) { sorter = ValueSorter(storage) }

    /// Adds a link.
    package func add(_ link: LinkRow) throws(FileError) { try sorter.add(link) }

    /// Calls a body with each link in order, once.
    package func forEach(_ body: (LinkRow) throws -> Void) throws {
        try LinkRow.forEach(in: sorter.finish(), body)
    }
}

extension RowEncoder {
    /// Writes a claim's facts for links. They wait with the rows until the findings are known.
    static let linkFacts = RowEncoder.joined(
        JoinedRowEncoder(
            emptyLength: 0,
            encode: { facts, bytes in
                var (link, record) = (LinkFacts(facts), RecordWriter())
                swap(&record.bytes, &bytes)
                link.code(&record)
                swap(&record.bytes, &bytes)
                return bytes.count
            },
            fill: { _, _, _ in }))
}

extension EncodedRows {
    /// Returns the links of marked claims, from rows of ``RowEncoder/linkFacts``.
    func links(of claims: [MarkedClaim], _ placeholders: AccountPlaceholders) throws(RecordError) -> [LinkRow] {
        var links: [LinkRow] = []
        for claim in claims {
            let index = claim.claim.index
            guard ends.indices.contains(index) else { throw .malformed }
            let record = bytes.span.extracting((index == 0 ? 0 : ends[index - 1])..<ends[index])
            var facts = try LinkFacts(record: record)
            facts.remove(placeholders)
            for mark in claim.marks { links.append(LinkRow(mark, facts, claim: claim.claim)) }
        }
        return links
    }
}
