package import Checks
package import Encodings
import Inputs
import Proofs
import Receipts

/// A row of the table `evidence`: one token, or a text without one.
package struct EvidenceRow: Recorded, Sendable {
    package private(set) var source: ExactText = ""
    /// The kind of token; empty if it is not known.
    package private(set) var kind: ExactText = ""
    package private(set) var verdict = Verdict.unreadable
    /// The codes of the failed checks, joined by `;`.
    package private(set) var failed: ExactText = ""
    package private(set) var notificationType: ExactText?
    package private(set) var subtype: ExactText?
    package private(set) var notificationUUID: ExactText?
    package private(set) var signedAt: Instant?
    package private(set) var environment: ExactText?
    package private(set) var bundleID: ExactText?
    package private(set) var transactionID: ExactText?
    package private(set) var originalTransactionID: ExactText?
    package private(set) var appTransactionID: ExactText?
    package private(set) var productID: ExactText?
    package private(set) var revokedAt: Instant?
    package private(set) var revocationReason: Int?
    /// The ``Revocation/code`` of what happened to the transaction.
    package private(set) var revocation: ExactText?
    /// The parts of it that this version does not know: members, and `member=value`, joined by `; `.
    package private(set) var unknown: ExactText?
    /// SHA-256; empty if there is no payload.
    package private(set) var payloadDigest: [UInt8] = []

    private init() {}

    init(_ facts: Facts) {
        source = facts.claim.source
        kind = ExactText(facts.kind)
        verdict = facts.verdict
        failed = ExactText(facts.failed.description)
        signedAt = facts.createdAt
        environment = facts.environment
        bundleID = facts.bundleID
        payloadDigest = facts.signature?.contentDigest.bytes ?? []
        guard let token = facts.token else { return }
        notificationType = token.notification?.type
        subtype = token.notification?.subtype
        notificationUUID = token.notification?.uuid
        transactionID = token.transactionID
        originalTransactionID = token.originalTransactionID
        appTransactionID = token.appTransactionID
        productID = token.productID
        revokedAt = token.purchase?.cancellationDate
        revocationReason = token.purchase?.details?.revocationReason
        revocation = (token.purchase?.revocation()?.code).map { ExactText($0) }
        guard !token.unknown.isEmpty else { return }
        let texts = token.unknown.map { found in found.member.text + (found.value.map { "=" + $0.text } ?? "") }
        unknown = ExactText(texts.joined(separator: "; "))
    }

    package static var unread: EvidenceRow { EvidenceRow() }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text(&source)
        try coder.text(&kind)
        try coder.place(of: &verdict)
        var bits = try coder.beginBits()
        try coder.text(&failed, &bits)
        try coder.text(&notificationType, &bits)
        try coder.text(&subtype, &bits)
        try coder.text(&notificationUUID, &bits)
        try coder.instant(&signedAt, &bits)
        try coder.text(&environment, &bits)
        try coder.text(&bundleID, &bits)
        try coder.text(&transactionID, &bits)
        try coder.text(&originalTransactionID, &bits)
        try coder.text(&appTransactionID, &bits)
        try coder.text(&productID, &bits)
        try coder.instant(&revokedAt, &bits)
        try coder.number(&revocationReason, &bits)
        try coder.text(&revocation, &bits)
        try coder.text(&unknown, &bits)
        coder.end(bits)
        try coder.octets(&payloadDigest)
    }
}
