package import Checks
package import Encodings
package import Inputs
package import Proofs
import Receipts

/// A claim's row of the table `receipts`, on its way from map to reduce.
package struct ReceiptRow {
    package private(set) var id = ClaimID.none
    package private(set) var caseID = CaseID.none
    private var name: SourceName
    /// The device that presents the claim: the one that matches, otherwise the smallest usable.
    private var device: Device?
    private var isGenuine = false
    /// SHA-256 of the signer's certificate, if the chain is not the App Store's.
    private var untrustedSigner: [UInt8] = []
    /// The claim, with the fields that the row shows.
    package private(set) var claim: Claim
    package private(set) var verdict = Verdict.unreadable
    /// The codes of the failed checks, joined by `;`.
    package private(set) var failed: ExactText = ""
    package private(set) var deviceHash = DeviceHashResult.notChecked
    package private(set) var environment: ExactText?
    package private(set) var bundleID: ExactText?
    package private(set) var appVersion: ExactText?
    package private(set) var originalAppVersion: ExactText?
    package private(set) var createdAt: Instant?
    package private(set) var expiresAt: Instant?
    /// The number of purchases; `nil` if none could be read.
    package private(set) var purchaseCount: Int?
    package private(set) var signature: Signature?
    private var kindCode: ExactText = ""
    /// The transaction of a token.
    package private(set) var transactionID: ExactText?
    package private(set) var originalTransactionID: ExactText?
    package private(set) var appTransactionID: ExactText?
    /// The rules with findings about the claim by itself. The others are added when its marks are known.
    package var rules = MarkedRules()

    /// The kind of proof, as in the table; empty if it is not known.
    package var kind: String { kindCode.text }

    /// The cells that are empty without a signature.
    package struct Signature {
        package var signer: ExactText = ""
        package var digest: ExactText = ""
        package var contentDigest = Digest(octets: [])
    }

    package init(_ facts: Facts, at place: ClaimPlace, _ rules: MarkedRules) {
        id = facts.id
        caseID = facts.caseID
        device = facts.device
        isGenuine = facts.provenPurchases != nil
        untrustedSigner = facts.untrustedSigner
        claim = facts.claim
        claim.presentedAt = facts.presentedAt
        name = SourceName(claim.source, place)
        verdict = facts.verdict
        failed = ExactText(facts.failed.description)
        deviceHash = facts.deviceHash
        environment = facts.environment
        bundleID = facts.bundleID
        appVersion = facts.appVersion
        originalAppVersion = facts.originalAppVersion
        createdAt = facts.createdAt
        expiresAt = facts.expiresAt
        purchaseCount = facts.purchaseCount
        signature = facts.signature.map {
            Signature(
                signer: ExactText($0.chain.signerSerialNumber), digest: ExactText($0.digestAlgorithm?.rawValue ?? ""),
                contentDigest: $0.contentDigest)
        }
        kindCode = ExactText(facts.kind)
        transactionID = facts.token?.transactionID
        originalTransactionID = facts.token?.originalTransactionID
        appTransactionID = facts.token?.appTransactionID
        self.rules = rules
    }

    package init(at place: ClaimPlace, _ fields: inout RecordReader) throws(RecordError) {
        name = SourceName("", place)
        claim = Claim(source: "")
        try code(&fields)
        claim.source = name.source(at: place)
    }

    /// The claim's facts for links.
    package var linkFacts: LinkFacts {
        var facts = LinkFacts()
        facts.claim = id
        facts.source = claim.source
        facts.device = device
        facts.accountID = claim.account
        facts.receiptSHA256 = signature?.contentDigest.bytes ?? []
        facts.deviceHash = deviceHash
        facts.presentedAt = claim.presentedAt
        facts.verdict = verdict
        facts.untrustedSigner = untrustedSigner
        if isGenuine { facts.setProven(bundleID, appTransactionID, originalTransactionID) }
        return facts
    }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.identity(&id)
        try coder.identity(&caseID)
        try coder.text(&name.text)
        var bits = try coder.beginBits()
        coder.flag(&name.isNamedByLine, &bits)
        try coder.text(&claim.file, &bits)
        try coder.text(&claim.deviceID, &bits)
        try coder.text(&claim.accountID, &bits)
        try coder.place(of: &verdict)
        try coder.text(&failed, &bits)
        try coder.place(of: &deviceHash)
        if coder.isPresent(environment != nil, &bits) {
            var known = environment ?? ""
            try coder.environment(&known)
            environment = known
        } else {
            environment = nil
        }
        try coder.text(&bundleID, &bits)
        try coder.text(&appVersion, &bits)
        try coder.text(&originalAppVersion, &bits)
        try coder.instant(&createdAt, &bits)
        try coder.instant(&expiresAt, &bits)
        try coder.number(&purchaseCount, &bits)
        try coder.value(&signature, &bits)
        coder.end(bits)
        try codeClaimed(&coder)
        try rules.code(&coder)
    }

    private mutating func codeClaimed<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        var bits = try coder.beginBits()
        try coder.text(&kindCode, &bits)
        try coder.device(&device, &bits)
        try coder.text(&claim.bundleID, &bits)
        try coder.text(&claim.appVersion, &bits)
        try coder.text(&claim.productID, &bits)
        try coder.instant(&claim.presentedAt, &bits)
        try coder.text(&transactionID, &bits)
        try coder.text(&originalTransactionID, &bits)
        try coder.text(&appTransactionID, &bits)
        coder.flag(&isGenuine, &bits)
        try coder.octets(&untrustedSigner, &bits)
        coder.end(bits)
    }
}

extension ReceiptRow.Signature: Recorded {
    package static var unread: Self { Self() }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text(&signer)
        try coder.text(&digest)
        var octets = Coder.isReading ? [] : contentDigest.bytes
        try coder.octets(&octets)
        contentDigest = Digest(octets: octets)
    }
}
