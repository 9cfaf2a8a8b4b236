public import Encodings
public import Inputs
public import Proofs
public import Receipts

/// Holds all that is known of one claim by itself: every check's outcome, and what it is based on.
public struct Facts: Sendable {
    public private(set) var claim: Claim
    /// Names what the claim says; ``IdentityHash/none`` until it has been computed.
    public var id = ClaimID.none
    /// The checks that failed.
    public var failed = CheckSet()
    /// The checks that could not be made, because their input is missing.
    public var notChecked = CheckSet()
    /// The verdict on the container's signature; `nil` if there is no readable container.
    public var signature: SignatureVerdict?
    /// The form of the proof; `nil` if the bytes have none.
    public var format: ProofFormat?
    /// The receipt; `nil` if the content is not a complete one.
    public var receipt: Receipt?
    /// The content of a container, signed or not, if the checker keeps it: for what `receipt` does not have.
    public var content: [UInt8]?
    /// What a token says, complete or not; `nil` if its payload is of no known kind.
    public var token: Token?
    /// The device identifiers that the claim names.
    public var claimedDevice = DeviceIdentifiers("")
    public var deviceHash = DeviceHashResult.notChecked
    /// Which of the claimed devices matches.
    public var matchedDevice: Int?
    /// What was sent instead of a proof, if a warning can name the fix.
    public package(set) var mistake: ClaimDoubt?
    /// The key that holds the proof, in JSON that was sent instead of it; empty if no key does.
    package var mistakenKey: ExactText = ""
    /// Why the claim cannot have been presented when it says; `nil` if it can, or says nothing.
    public package(set) var impossiblePresentation: ClaimDoubt?
    /// What a purchase-cracking tool made up, if that is what was sent instead of a receipt.
    public var fabrication: FabricatedReceipt?
    /// Why something could not be read.
    public var fault: Fault?
    /// Whether it says that it was created or signed later than a day after the as-of date.
    public package(set) var isDatedLater = false
    /// SHA-256 of the signer's certificate, where the chain is not that of the App Store; else empty.
    package var untrustedSigner: [UInt8] = []

    public var verdict: Verdict { failed.verdict }

    /// Whether Apple signed this, and it lacks nothing that every proof of its kind has, whatever else is wrong.
    public var isGenuine: Bool { provenPurchases != nil }

    /// When the proof was presented, if the claim says so and that is possible. The claim's id is made of what it says.
    public var presentedAt: Instant? { impossiblePresentation == nil ? claim.presentedAt : nil }

    /// Whether Apple signed this: signature and chain are valid, whatever else is wrong.
    public var isSigned: Bool {
        guard let signature, signature.signature == .holds, case .trusted(_, .appStore) = signature.chain.trust
        else { return false }
        return !failed.contains(.chainExpired) && !notChecked.contains(.chainExpired)
    }

    /// Whether it is a token that names an algorithm other than ES256 and whose certificates are Apple's: Apple may have begun
    /// to sign in another way, which cannot be verified here.
    public var isOfNewerForm: Bool {
        guard format == .token, let signature, signature.digestAlgorithm == nil else { return false }
        if case .trusted(_, .appStore) = signature.chain.trust { return true }
        return false
    }

    /// The device that presents the claim: the one that matches, else the smallest usable one that it names, else the one
    /// of its `device_verification_id`.
    ///
    /// What matches a token is the device verification id: the claim's device id is not in the token's hash, and anybody
    /// could name that of another's device beside a token of their own.
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

    /// Makes facts that hold nothing but the claim.
    package init(claim: Claim) { self.claim = claim }

    /// Replaces the claim's ids.
    mutating func replaceIdentities(
        devices: [[UInt8]], verificationDevice device: Device?, _ replace: (inout Claim) -> Void
    ) {
        replace(&claim)
        claimedDevice.replaceIdentifiers(devices)
        verificationDevice = device
    }

    /// Says why something could not be read.
    public enum Fault: Sendable {
        case input(InputFault)
        case empty
        case container(ContainerFault)
        case token(TokenFault)
        /// The payload is not that of a token of a known kind.
        case payload(TokenError)
        case receipt(ReceiptError)
        /// The receipt lacks an attribute that every one has, or it cannot be read; the rest can.
        indirect case incompleteReceipt(ReceiptError, ReceiptFields)
    }
}

/// Says whether a receipt's device hash is that of the claimed device.
public enum DeviceHashResult: String, CaseIterable, Sendable {
    case match
    case mismatch
    case notChecked = "not-checked"
}

/// Names the form of a proof.
public enum ProofFormat: Sendable {
    /// A PKCS #7 container, as receipts have it.
    case container
    /// The compact serialization of a JWS, as tokens have it.
    case token
}

/// What the proof says, complete or not; `nil` where it is missing or cannot be read.
extension Facts {
    public var bundleID: ExactText? { receipt?.bundleID ?? fields?.bundleID ?? token?.bundleID }

    public var appVersion: ExactText? { receipt?.appVersion ?? fields?.appVersion ?? token?.appVersion }

    public var environment: ExactText? { receipt?.environment ?? fields?.environment ?? token?.environment }

    public var originalAppVersion: ExactText? {
        receipt?.originalAppVersion ?? fields?.originalAppVersion ?? token?.originalAppVersion
    }

    /// When a receipt was created, or a token signed: when its chain must hold.
    public var createdAt: Instant? { receipt?.createdAt ?? fields?.createdAt ?? token?.signedAt }

    public var expiresAt: Instant? { receipt?.expiresAt ?? fields?.expiresAt }

    /// When the app was first downloaded or bought.
    public var originalPurchaseDate: Instant? { receipt?.originalPurchaseDate ?? token?.originalPurchaseDate }

    /// The purchases that can be read; `nil` if there is neither a SET of attributes nor a token.
    public var purchases: [Purchase]? { receipt?.purchases ?? fields?.purchases ?? token?.purchases }

    /// The purchases that a genuine proof shows which lacks nothing; `nil` of any other.
    public var provenPurchases: [Purchase]? {
        guard isSigned else { return nil }
        if let receipt { return receipt.purchases }
        return token?.error == nil ? token?.purchases : nil
    }

    public var purchaseCount: Int? { purchases?.count }

    public var deviceHashInput: Receipt.DeviceHashInput? { receipt?.deviceHashInput ?? fields?.deviceHashInput }

    var purchaseError: ReceiptError? { receipt?.purchaseError ?? fields?.purchaseError }

    /// Why there is no complete receipt, if there is content.
    var receiptError: ReceiptError? {
        switch fault {
        case .receipt(let error) where receipt == nil: error
        case .incompleteReceipt(let error, _): error
        case .receipt, .input, .empty, .container, .token, .payload, nil: nil
        }
    }

    private var fields: ReceiptFields? {
        guard case .incompleteReceipt(_, let fields) = fault else { return nil }
        return fields
    }
}

extension Facts {
    /// What kind of proof the claim presents: `app-receipt`, or a token's; empty if that is not known.
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

    /// Records why there is nothing to check. It is the only code: what else was checked says nothing of a proof.
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

    mutating func leaveUnchecked(_ checks: Check...) {
        for check in checks { notChecked.insert(check) }
    }

    /// Records that no check after this one could be made, except those that have failed.
    mutating func leaveUnchecked(after last: Check) {
        for check in Check.allCases where check > last && !failed.contains(check) { notChecked.insert(check) }
    }
}
