package import Checks
package import Encodings
import Inputs
import Proofs

/// A claim's row of the table `receipts`, on its way from map to reduce.
package struct ReceiptRow {
    package private(set) var source: ExactText = ""
    private var name: SourceName
    package private(set) var file: ExactText = ""
    package private(set) var deviceID: ExactText = ""
    package private(set) var accountID: ExactText = ""
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
    /// `nil` if no purchases could be read.
    package private(set) var purchases: Int?
    package private(set) var signature: Signature?
    /// What the rules say of the claim by itself; more is added when its marks are known.
    package var rules = MarkedRules()

    /// The cells that are empty without a signature.
    package struct Signature {
        package var signer: ExactText = ""
        package var digest: ExactText = ""
        package var contentDigest: [UInt8] = []
    }

    package init(_ facts: Facts, at place: ClaimPlace, _ rules: MarkedRules) {
        name = SourceName(facts.claim.source, place)
        file = facts.claim.file
        deviceID = facts.claim.deviceID
        accountID = facts.claim.accountID
        verdict = facts.verdict
        failed = ExactText(facts.failed.description)
        deviceHash = facts.deviceHash
        environment = facts.environment
        bundleID = facts.bundleID
        appVersion = facts.appVersion
        originalAppVersion = facts.originalAppVersion
        createdAt = facts.createdAt
        expiresAt = facts.expiresAt
        purchases = facts.purchaseCount
        signature = facts.signature.map {
            Signature(
                signer: ExactText($0.chain.signerSerialNumber), digest: ExactText($0.digestAlgorithm?.rawValue ?? ""),
                contentDigest: $0.contentDigest.bytes)
        }
        self.rules = rules
    }

    package init(at place: ClaimPlace, _ fields: inout RecordReader) throws(RecordError) {
        name = SourceName("", place)
        try code(&fields)
        source = name.source(at: place)
    }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        var bits = try coder.beginBits()
        try coder.name(&name, &bits)
        try coder.text(&file, &bits)
        try coder.text(&deviceID, &bits)
        try coder.text(&accountID, &bits)
        try coder.place(of: &verdict)
        try coder.text(&failed, &bits)
        try coder.place(of: &deviceHash)
        if let present = coder.present(environment, &bits) {
            var environment = present
            try coder.environment(&environment)
            self.environment = environment
        } else {
            environment = nil
        }
        try coder.text(&bundleID, &bits)
        try coder.text(&appVersion, &bits)
        try coder.text(&originalAppVersion, &bits)
        try coder.instant(&createdAt, &bits)
        try coder.instant(&expiresAt, &bits)
        try coder.number(&purchases, &bits)
        if coder.isPresent(signature != nil, &bits) {
            var signature = signature ?? Signature()
            try coder.text(&signature.signer)
            try coder.text(&signature.digest)
            try coder.octets(&signature.contentDigest)
            self.signature = signature
        }
        coder.end(bits)
        try rules.code(&coder)
    }
}

extension FieldCoder where Self: ~Escapable {
    fileprivate mutating func present(_ value: ExactText?, _ bits: inout PresenceBits) -> ExactText? {
        isPresent(value != nil, &bits) ? value ?? "" : nil
    }
}
