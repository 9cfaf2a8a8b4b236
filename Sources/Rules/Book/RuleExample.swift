public import Checks
public import Encodings
import Inputs
public import Proofs
import Receipts

/// A case that raises a rule or does not, as documentation and as a test.
public struct RuleExample: Sendable {
    /// The case, as a sentence without a full stop.
    public let title: String
    public let claims: [ExampleClaim]
    public let policy: Policy
    /// The finding's severity; `nil` if there is no finding.
    public let severity: Severity?
    /// The mark of each claim, in order, `nil` where the finding is not about the claim; empty if the example does not
    /// check marks.
    public private(set) var marks: [Severity?] = []
    /// The subject of the finding; `nil` if the example does not check it.
    public private(set) var subject: ExactText?

    init(title: String, claims: [ExampleClaim], policy: Policy, severity: Severity?) {
        self.title = title
        self.claims = claims
        self.policy = policy
        self.severity = severity
    }

    /// Returns the same example with an expected subject and expected marks.
    func about(_ subject: ExactText? = nil, marking marks: [Severity?]) -> RuleExample {
        var example = self
        example.subject = subject
        example.marks = marks
        return example
    }

    /// Returns a case in which the rule has a finding.
    public static func raised(
        _ title: String, _ severity: Severity, policy: Policy = Policy(), claims: [ExampleClaim]
    ) -> RuleExample {
        RuleExample(title: title, claims: claims, policy: policy, severity: severity)
    }

    public static func raised(
        _ title: String, _ severity: Severity, policy: Policy = Policy(), _ claims: ExampleClaim...
    ) -> RuleExample {
        raised(title, severity, policy: policy, claims: claims)
    }

    /// Returns a case in which the rule has no finding.
    public static func clear(_ title: String, policy: Policy = Policy(), claims: [ExampleClaim]) -> RuleExample {
        RuleExample(title: title, claims: claims, policy: policy, severity: nil)
    }

    public static func clear(_ title: String, policy: Policy = Policy(), _ claims: ExampleClaim...) -> RuleExample {
        clear(title, policy: policy, claims: claims)
    }
}

/// A claim in an example, with only the fields that matter there.
public struct ExampleClaim: Sendable {
    /// A letter that stands for a device; empty for none.
    public var device = "A"
    /// The claim's device as written, if it is malformed.
    public var malformedDevice: ExactText = ""
    /// Whether the receipt's device hash is that device's.
    public var deviceHashMatches = true
    public var account: ExactText = ""
    /// The claim's `account_token`.
    public var accountToken: ExactText = ""
    /// The bundle id that the claim names.
    public var bundle: ExactText = ""
    /// The product that the claim asks to unlock.
    public var product: ExactText = ""
    /// A date, or a time in RFC 3339.
    public var presented: String?
    /// The checks that fail, besides the device's.
    public var failed: CheckSet = []
    /// The end of the signer's chain, if the example is about that.
    public var chainEnd: String?
    /// The container's deviation from the strict form, if there is one.
    public var deviation: ContainerDeviation?
    public var isSHA1 = false
    public var receipt = ExampleReceipt()
    /// The token that was sent instead of a receipt; the claim's device is then its `device_verification_id`.
    public var token: ExampleToken?
    /// The text that was sent instead of a receipt.
    public var stored: String?

    /// Returns the facts that the checks would find in this claim.
    ///
    /// - Parameter index: the claim's index in the example.
    public func facts(at index: Int) -> Facts {
        var claim = Claim(source: "example.ndjson:\(index + 1)")
        let identifier = device.isEmpty ? malformedDevice : Self.identifier(of: device)
        if token == nil { claim.deviceID = identifier } else { claim.deviceVerificationID = identifier }
        claim.accountID = account
        claim.accountToken = accountToken
        claim.bundleID = bundle
        claim.productID = product
        claim.presentedAt = presented.flatMap(Instant.init(example:))
        var facts = Facts(claim: claim)
        facts.id = id
        facts.caseID = id
        facts.failed = failed
        facts.claimedDevice = DeviceIdentifiers(claim.deviceID)
        guard facts.verdict != .unreadable else {
            facts.fabrication = stored.flatMap { Self.fabrication($0) }
            return facts
        }
        facts.signature = signature
        facts.format = token == nil ? .container : .token
        if let token {
            facts.token = token.token
        } else if !failed.contains(.malformedReceipt) {
            facts.receipt = receipt.receipt
        }
        if !device.isEmpty {
            facts.verificationDevice = token == nil ? nil : Self.device(identifier)
            guard token?.isBound != false else { return facts }
            facts.deviceHash = deviceHashMatches ? .match : .mismatch
            facts.matchedDevice = deviceHashMatches && token == nil ? 0 : nil
            if !deviceHashMatches { facts.failed.insert(.guidMismatch) }
        }
        return facts
    }

    /// The id of the claim's content: equal for claims of an example with equal content.
    private var id: ClaimID {
        let text = ExactText("\(self)")
        let reversed = Array(text.utf8.reversed())
        return ClaimID(high: text.stableHash, low: UInt32(truncatingIfNeeded: reversed.span.stableHash))
    }

    private var signature: SignatureVerdict {
        let trust: ChainVerdict.Trust
        if failed.contains(.signerNotFound) {
            trust = .noSigner
        } else if failed.contains(.chainUntrusted) {
            trust = .untrusted(reason: "self-signed certificate")
        } else {
            trust = .trusted(
                validity: Instant(
                    milliseconds: .min)..<(chainEnd.flatMap(Instant.init(example:)) ?? Instant(milliseconds: .max)),
                marking: failed.contains(.signerNotAppStore) ? .noLeafMarker : .appStore)
        }
        return SignatureVerdict(
            signature: failed.contains(.signatureInvalid) ? .broken : .holds,
            chain: ChainVerdict(trust: trust, signerSerialNumber: "1", certificates: [], deviation: nil),
            digestAlgorithm: isSHA1 ? .sha1 : .sha256,
            contentDigest: contentDigest,
            deviation: deviation.map { .container($0) })
    }

    /// Receipts with the same number have the same content, and so do tokens.
    private var contentDigest: Digest {
        let number = UInt8(truncatingIfNeeded: token?.number ?? receipt.number)
        return Digest(octets: [token == nil ? number : ~number] + Array(repeating: number, count: 31))
    }

    /// Returns the result of the checks for bytes that are not a container, after decoding them if they are base64.
    private static func fabrication(_ stored: String) -> FabricatedReceipt? {
        var decoded: [UInt8] = []
        let wasBase64 = Base64.decode(stored.utf8.span, into: &decoded)
        return FabricatedReceipt(sniffing: wasBase64 ? decoded : Array(stored.utf8))
    }

    private static func device(_ identifier: ExactText) -> Device? {
        DeviceIdentifiers(identifier).identifiers.first.flatMap { Device(octets: $0.span) }
    }

    /// Returns a UUID for a letter.
    private static func identifier(of letter: String) -> ExactText {
        let octets = Array((Array(repeating: 0, count: 6) + Array(letter.utf8)).suffix(6))
        return "00000000-0000-4000-8000-\(Hex.string(octets.span))"
    }
}

extension Instant {
    /// A date, or a time in RFC 3339.
    init?(example text: String) { self.init(rfc3339: text.utf8.count == 10 ? text + "T00:00:00Z" : text) }
}
