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
    /// The receipt; `nil` if the content is not a complete one.
    public var receipt: Receipt?
    /// The device identifiers that the claim names.
    public var claimedDevice = DeviceIdentifiers("")
    public var deviceHash = DeviceHashResult.notChecked
    /// Which of the claimed devices matches.
    public var matchedDevice: Int?
    /// What a purchase-cracking tool made up, if that is what was sent in place of a receipt.
    public var madeUp: MadeUpReceipt?
    /// Why something could not be read.
    public var fault: Fault?

    public var verdict: Verdict { failed.verdict }

    /// Whether Apple signed this: signature and chain are valid, whatever else is wrong.
    public var isGenuine: Bool {
        guard let signature, signature.signature == .holds, case .trusted(_, .appStore) = signature.chain.trust
        else { return false }
        return !failed.contains(.chainExpired) && !notChecked.contains(.chainExpired)
    }

    /// The device that presents the claim: the one that matches, else the smallest usable one that it names.
    public var device: Device? {
        guard let index = matchedDevice ?? claimedDevice.smallestUsable,
            claimedDevice.identifiers.indices.contains(index)
        else { return nil }
        let octets = claimedDevice.identifiers[index]
        return Device(octets: octets.span)
    }

    /// Makes facts that hold nothing but the claim.
    package init(claim: Claim) { self.claim = claim }

    /// Replaces the claim's ids.
    mutating func replaceIdentities(devices: [[UInt8]], _ replace: (inout Claim) -> Void) {
        replace(&claim)
        claimedDevice.replaceIdentifiers(devices)
    }

    /// Says why something could not be read.
    public enum Fault: Sendable {
        case input(InputFault)
        case empty
        case container(ContainerFault)
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

/// The attributes of the receipt, complete or not; `nil` where they are missing or cannot be read.
extension Facts {
    public var bundleID: ExactText? { receipt?.bundleID ?? fields?.bundleID }

    public var appVersion: ExactText? { receipt?.appVersion ?? fields?.appVersion }

    public var environment: ExactText? { receipt?.environment ?? fields?.environment }

    public var originalAppVersion: ExactText? { receipt?.originalAppVersion ?? fields?.originalAppVersion }

    public var createdAt: Instant? { receipt?.createdAt ?? fields?.createdAt }

    public var expiresAt: Instant? { receipt?.expiresAt ?? fields?.expiresAt }

    /// The purchases that can be read; `nil` if there is not even a SET of attributes.
    public var purchases: [Purchase]? { receipt?.purchases ?? fields?.purchases }

    public var purchaseCount: Int? { purchases?.count }

    public var deviceHashInput: Receipt.DeviceHashInput? { receipt?.deviceHashInput ?? fields?.deviceHashInput }

    var purchaseError: ReceiptError? { receipt?.purchaseError ?? fields?.purchaseError }

    /// Why there is no complete receipt, if there is content.
    var receiptError: ReceiptError? {
        switch fault {
        case .receipt(let error) where receipt == nil: error
        case .incompleteReceipt(let error, _): error
        case .receipt, .input, .empty, .container, nil: nil
        }
    }

    private var fields: ReceiptFields? {
        guard case .incompleteReceipt(_, let fields) = fault else { return nil }
        return fields
    }
}

extension Facts {
    /// What kind of proof the claim presents, as far as its format tells: `app-receipt`; empty if there are no bytes, or
    /// they have no format of a proof.
    public var kind: String {
        let unknown = [Check.rowMalformed, .receiptNotFound, .receiptUnreadable, .receiptEmpty, .unknownFormat]
        return unknown.contains(where: failed.contains) ? "" : "app-receipt"
    }
}

extension Facts {
    mutating func fail(_ check: Check) { failed.insert(check) }

    /// Records why there is no content to check.
    mutating func fail(_ container: ContainerFault) {
        let check: Check
        switch container {
        case .notPKCS7: check = .unknownFormat
        case .encoding, .malformed: check = .malformedContainer
        case .notSigned: check = .notSigned
        case .noContent: check = .noContent
        }
        fail(check)
        fault = .container(container)
        leaveUnchecked(after: check)
    }

    mutating func leaveUnchecked(_ checks: Check...) {
        for check in checks { notChecked.insert(check) }
    }

    /// Records that no check after this one could be made, except those that have failed.
    mutating func leaveUnchecked(after last: Check) {
        for check in Check.allCases where check > last && !failed.contains(check) { notChecked.insert(check) }
    }
}
