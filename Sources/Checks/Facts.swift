import Encodings
public import Inputs
public import Proofs
public import Receipts

/// All that is known of one claim by itself: every check's outcome, and what it was based on.
public struct Facts: Sendable {
    public private(set) var claim: Claim
    /// The checks that failed.
    public var failed = CheckSet()
    /// The checks that could not be made, for want of something that an earlier one found missing.
    public var notChecked = CheckSet()
    /// What the container's signature is worth; `nil` if there is no readable container.
    public var signature: SignatureVerdict?
    /// `nil` if the content is not a receipt, or not a whole one.
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

    /// Whether Apple signed this: signature and chain hold, whatever else is wrong.
    public var isGenuine: Bool {
        guard let signature, signature.signature == .holds, case .trusted(_, .appStore) = signature.chain.trust
        else { return false }
        return !failed.contains(.chainExpired) && !notChecked.contains(.chainExpired)
    }

    /// The device that presents the claim: the one that matches, else the first that it names.
    public var device: Device? {
        let octets = matchedDevice.map { claimedDevice.identifiers[$0] } ?? claimedDevice.identifiers.first
        guard let octets else { return nil }
        return Device(octets: octets.span)
    }

    /// Nothing is known yet but the claim.
    package init(claim: Claim) { self.claim = claim }

    /// Puts other ids in the places of the claim's.
    mutating func replaceIdentities(deviceID: ExactText, devices: [[UInt8]], accountID: ExactText) {
        claim.deviceID = deviceID
        claim.accountID = accountID
        claimedDevice.replaceIdentifiers(devices)
    }

    /// What stands in the way of reading further.
    public enum Fault: Sendable {
        case input(InputFault)
        case empty
        case container(ContainerFault)
        case receipt(ReceiptError)
        /// It lacks what every receipt has, or that cannot be read; the rest can.
        indirect case incompleteReceipt(ReceiptError, ReceiptFields)
    }
}

/// Whether a receipt's device hash is that of the claimed device.
public enum DeviceHashResult: String, CaseIterable, Sendable {
    case match
    case mismatch
    case notChecked = "not-checked"
}
