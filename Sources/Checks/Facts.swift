public import Encodings
public import Inputs
public import Proofs
public import Receipts

/// All facts about one claim by itself: every check's outcome, and the data it is based on.
public struct Facts: Sendable {
    public private(set) var claim: Claim
    /// The id of the claim's content; ``IdentityHash/none`` until it has been computed.
    public var id = ClaimID.none
    /// The id of the case: the claim without its date and version; ``IdentityHash/none`` until it has been computed.
    public var caseID = CaseID.none
    /// The checks that failed.
    public var failed = CheckSet()
    /// The checks that could not run, because their input is missing.
    public var notChecked = CheckSet()
    /// The verdict on the container's signature; `nil` if there is no readable container.
    public var signature: SignatureVerdict?
    /// The form of the proof; `nil` if it is not recognized.
    public var format: ProofFormat?
    /// The receipt; `nil` if the content is not a complete one.
    public var receipt: Receipt?
    /// The content of a container, signed or not, if the checker keeps it: for fields that `receipt` lacks.
    public var content: [UInt8]?
    /// The content of a token, complete or not; `nil` if its payload is of no known kind.
    public var token: Token?
    /// The device identifiers that the claim names.
    public var claimedDevice = DeviceIdentifiers("")
    public var deviceHash = DeviceHashResult.notChecked
    /// The index of the claimed device that matches.
    public var matchedDevice: Int?
    /// What the bytes of an unreadable proof, or of an unreadable row, look like.
    public package(set) var seen: SeenBytes?
    /// The name of the only byte or bytes that follow the receipt, if they are padding: NUL, blanks or line ends.
    package internal(set) var padding: ExactText?
    /// The reason why the claim cannot have been presented on its date; `nil` if it can, or is undated.
    public package(set) var impossiblePresentation: ClaimDoubt?
    /// The kind of fake, if a purchase-cracking tool's output was sent instead of a receipt.
    public var fabrication: FabricatedReceipt?
    /// The reason why something could not be read.
    public var fault: Fault?
    /// Whether its creation or signing date is more than a day after the reference time.
    public package(set) var isDatedLater = false
    /// SHA-256 of the signer's certificate, if the chain is not the App Store's; otherwise empty.
    package var untrustedSigner: [UInt8] = []

    public var verdict: Verdict { failed.verdict }

    /// Whether Apple signed it and it is complete, even if other checks fail.
    public var isGenuine: Bool { provenPurchases != nil }

    /// When the proof was presented, if the claim is dated and the date is possible. The claim's id uses the date as
    /// written.
    public var presentedAt: Instant? { impossiblePresentation == nil ? claim.presentedAt : nil }

    /// Whether Apple signed it: signature and chain are valid, even if other checks fail.
    public var isSigned: Bool {
        guard let signature, signature.signature == .holds, case .trusted(_, .appStore) = signature.chain.trust
        else { return false }
        return !failed.contains(.chainExpired) && !notChecked.contains(.chainExpired)
    }

    /// Whether it is a token with Apple's certificates and an algorithm other than ES256. Apple may have adopted
    /// another algorithm, which this version cannot verify.
    public var isOfNewerForm: Bool {
        guard format == .token, let signature, signature.digestAlgorithm == nil else { return false }
        if case .trusted(_, .appStore) = signature.chain.trust { return true }
        return false
    }

    /// The device that presents the claim: the one that matches, otherwise the smallest usable one that it names,
    /// otherwise that of its `device_verification_id`.
    ///
    /// For a token, only the device verification id matches. The claim's device id is not in the token's hash, and
    /// anybody could name somebody else's device next to their own token.
    public var device: Device? {
        if token != nil {
            if deviceHash == .match { return verificationDevice }
            if claimedDevice.smallestUsable == nil, let verificationDevice { return verificationDevice }
        }
        guard let index = matchedDevice ?? claimedDevice.smallestUsable,
            claimedDevice.identifiers.indices.contains(index)
        else { return nil }
        let octets = claimedDevice.identifiers[index]
        return Device(octets: octets.span)
    }

    /// The device that the claim's `device_verification_id` names; `nil` if it names none.
    public package(set) var verificationDevice: Device?

    /// Makes facts with nothing but the claim.
    package init(claim: Claim) { self.claim = claim }

    /// Replaces the claim's ids.
    mutating func replaceIdentities(
        devices: [[UInt8]], verificationDevice device: Device?, _ replace: (inout Claim) -> Void
    ) {
        replace(&claim)
        claimedDevice.replaceIdentifiers(devices)
        verificationDevice = device
    }

    /// The reason why something could not be read.
    public enum Fault: Sendable {
        case input(InputFault)
        case empty
        case container(ContainerFault)
        case token(TokenFault)
        /// It is signed, or could be, but no reader would take it for a proof.
        case otherObject(OtherObject)
        /// The payload does not belong to a known kind of token.
        case payload(TokenError)
        case receipt(ReceiptError)
        /// The receipt lacks a required attribute, or has a malformed one; the rest is readable.
        indirect case incompleteReceipt(ReceiptError, ReceiptFields)
    }
}

/// Whether a receipt's device hash matches the claimed device.
public enum DeviceHashResult: String, CaseIterable, Sendable {
    case match
    case mismatch
    case notChecked = "not-checked"
}

/// The form of a proof.
public enum ProofFormat: Sendable {
    /// A PKCS #7 container, the form of receipts.
    case container
    /// The compact serialization of a JWS, the form of tokens.
    case token
}

/// The content of the proof, complete or not; `nil` if it is missing or unreadable.
extension Facts {
    public var bundleID: ExactText? { receipt?.bundleID ?? fields?.bundleID ?? token?.bundleID }

    public var appVersion: ExactText? { receipt?.appVersion ?? fields?.appVersion ?? token?.appVersion }

    public var environment: ExactText? { receipt?.environment ?? fields?.environment ?? token?.environment }

    public var originalAppVersion: ExactText? {
        receipt?.originalAppVersion ?? fields?.originalAppVersion ?? token?.originalAppVersion
    }

    /// When a receipt was created, or a token signed. The chain must be valid at this time.
    public var createdAt: Instant? { receipt?.createdAt ?? fields?.createdAt ?? token?.signedAt }

    public var expiresAt: Instant? { receipt?.expiresAt ?? fields?.expiresAt }

    /// When the app was first downloaded or bought.
    public var originalPurchaseDate: Instant? { receipt?.originalPurchaseDate ?? token?.originalPurchaseDate }

    /// The readable purchases; `nil` if there is neither a SET of attributes nor a token.
    public var purchases: [Purchase]? { receipt?.purchases ?? fields?.purchases ?? token?.purchases }

    /// The purchases in a genuine and complete proof; `nil` for any other.
    public var provenPurchases: [Purchase]? {
        guard isSigned else { return nil }
        if let receipt { return receipt.purchases }
        return token?.error == nil ? token?.purchases : nil
    }

    public var purchaseCount: Int? { purchases?.count }

    public var deviceHashInput: Receipt.DeviceHashInput? { receipt?.deviceHashInput ?? fields?.deviceHashInput }

    /// The object of another kind that was sent instead of a proof.
    var otherObject: OtherObject? {
        guard case .otherObject(let object) = fault else { return nil }
        return object
    }

    var purchaseError: ReceiptError? { receipt?.purchaseError ?? fields?.purchaseError }

    /// The reason why there is no complete receipt, if there is content.
    var receiptError: ReceiptError? {
        switch fault {
        case .receipt(let error) where receipt == nil: error
        case .incompleteReceipt(let error, _): error
        case .receipt, .input, .empty, .container, .otherObject, .token, .payload, nil: nil
        }
    }

    private var fields: ReceiptFields? {
        guard case .incompleteReceipt(_, let fields) = fault else { return nil }
        return fields
    }
}

extension Facts {
    /// The kind of proof: `app-receipt`, or a token's kind; empty if it is not known.
    public var kind: String {
        switch format {
        case .container?: "app-receipt"
        case .token?: token?.kind.rawValue ?? ""
        case nil: ""
        }
    }
}

extension Facts {
    mutating func fail(_ check: Check) { failed.insert(check) }

    /// Records why there is nothing to check. It replaces all other failures, because other checks say nothing about a
    /// proof.
    mutating func failUnreadable(_ check: Check) {
        failed = CheckSet()
        fail(check)
        leaveUnchecked(after: check)
    }

    /// Records why there is no content to check.
    mutating func fail(_ container: ContainerFault) {
        let check: Check
        switch container {
        case .notPKCS7: check = .unknownFormat
        case .encoding, .malformed: check = .malformedContainer
        case .notSigned: check = .notSigned
        case .noContent: check = .noContent
        }
        failUnreadable(check)
        fault = .container(container)
    }

    /// Records why there is no payload to check.
    mutating func fail(_ token: TokenFault) {
        let check: Check =
            switch token {
            case .encoding, .header: .malformedContainer
            case .notSigned: .notSigned
            case .noContent: .noContent
            }
        failUnreadable(check)
        fault = .token(token)
    }

    /// Records that it is an object of another kind, and forgets what was read from it as if it were a proof.
    ///
    /// - Parameter signed: the object, if a trusted authority signed it.
    mutating func fail(_ object: OtherObject) {
        failUnreadable(object.isTrusted ? .notAProof : .unknownFormat)
        fault = .otherObject(object)
        content = nil
    }

    mutating func leaveUnchecked(_ checks: Check...) {
        for check in checks { notChecked.insert(check) }
    }

    /// Records that no check after this one could run, except those that have failed.
    mutating func leaveUnchecked(after last: Check) {
        for check in Check.allCases where check > last && !failed.contains(check) { notChecked.insert(check) }
    }
}
