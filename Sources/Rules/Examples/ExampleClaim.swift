public import Checks
public import Encodings
import Inputs
public import Proofs
import Receipts

/// A claim in an example, as little of it as the example is about.
public struct ExampleClaim: Sendable {
    /// A letter that stands for a device; empty for none.
    public var device: String
    /// Whether the receipt's device hash is that device's.
    public var deviceHashMatches: Bool
    public var account: ExactText
    /// The bundle id that the claim names.
    public var bundle: ExactText
    /// What the claim asks to unlock.
    public var product: ExactText
    /// A date, or a time in RFC 3339.
    public var presented: String?
    /// The checks that fail, besides the device's.
    public var failed: CheckSet
    /// What is not in the strict form of a container, if that is said.
    public var deviation: ContainerDeviation?
    public var isSHA1: Bool
    public var receipt: ExampleReceipt
    /// What was sent in place of a receipt.
    public var stored: String?

    public init(
        device: String = "A", deviceHashMatches: Bool = true, account: ExactText = "", bundle: ExactText = "",
        product: ExactText = "", presented: String? = nil, failed: CheckSet = [],
        deviation: ContainerDeviation? = nil, isSHA1: Bool = false, receipt: ExampleReceipt = ExampleReceipt(),
        stored: String? = nil
    ) {
        self.device = device
        self.deviceHashMatches = deviceHashMatches
        self.account = account
        self.bundle = bundle
        self.product = product
        self.presented = presented
        self.failed = failed
        self.deviation = deviation
        self.isSHA1 = isSHA1
        self.receipt = receipt
        self.stored = stored
    }

    /// The facts that the checks would find of such a claim.
    ///
    /// - Parameter index: the claim's place in the example.
    public func facts(at index: Int) -> Facts {
        var claim = Claim(source: "example.ndjson:\(index + 1)")
        claim.deviceID = device.isEmpty ? "" : Self.identifier(of: device)
        claim.accountID = account
        claim.bundleID = bundle
        claim.productID = product
        claim.presentedAt = presented.flatMap(Instant.init(example:))
        var facts = Facts(claim: claim)
        facts.failed = failed
        facts.claimedDevice = DeviceIdentifiers(claim.deviceID)
        guard facts.verdict != .unreadable else {
            facts.madeUp = stored.flatMap { Self.madeUp($0) }
            return facts
        }
        facts.signature = signature
        facts.receipt = receipt.receipt
        if !device.isEmpty {
            facts.deviceHash = deviceHashMatches ? .match : .mismatch
            facts.matchedDevice = deviceHashMatches ? 0 : nil
            if !deviceHashMatches { facts.failed.insert(.guidMismatch) }
        }
        return facts
    }

    private var signature: SignatureVerdict {
        let trust: ChainVerdict.Trust
        if failed.contains(.signerNotFound) {
            trust = .noSigner
        } else if failed.contains(.chainUntrusted) {
            trust = .untrusted(reason: "self-signed certificate")
        } else {
            trust = .trusted(
                validity: Instant(milliseconds: .min)..<Instant(milliseconds: .max),
                marking: failed.contains(.signerNotAppStore) ? .noLeafMarker : .appStore)
        }
        return SignatureVerdict(
            signature: failed.contains(.signatureInvalid) ? .broken : .holds,
            chain: ChainVerdict(trust: trust, signerSerialNumber: "1", certificates: [], deviation: nil),
            digestAlgorithm: isSHA1 ? .sha1 : .sha256,
            contentDigest: Digest(octets: Array(repeating: UInt8(truncatingIfNeeded: receipt.number), count: 32)),
            deviation: deviation)
    }

    /// What the checks make of bytes that are no container: base64, or as they stand.
    private static func madeUp(_ stored: String) -> MadeUpReceipt? {
        var decoded: [UInt8] = []
        let wasBase64 = Base64.decode(stored.utf8.span, into: &decoded)
        return MadeUpReceipt(sniffing: wasBase64 ? decoded : Array(stored.utf8), wasBase64: wasBase64)
    }

    /// A UUID for a letter.
    private static func identifier(of letter: String) -> ExactText {
        let octets = Array((Array(repeating: 0, count: 6) + Array(letter.utf8)).suffix(6))
        return "00000000-0000-4000-8000-\(Hex.string(octets.span))"
    }
}

extension Instant {
    /// A date, or a time in RFC 3339.
    init?(example text: String) { self.init(rfc3339: text.utf8.count == 10 ? text + "T00:00:00Z" : text) }
}
