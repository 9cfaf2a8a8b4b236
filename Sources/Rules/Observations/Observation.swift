public import Encodings
public import Inputs
public import Receipts

/// What one claim has to say under one key.
///
/// A claim is under each of its keys once, so as many observations as there are, so many claims there are.
public struct Observation: Sendable {
    /// The claim's place in the order of claims, from 0.
    public var claim: UInt64
    public var source: ExactText
    /// The device that matches, of those that the claim names, else the first; `nil` if it names none.
    public var device: Device?
    /// Whether the receipt's device hash is that device's.
    public var deviceHashMatches = false
    /// Empty if the claim names none.
    public var accountID: ExactText = ""
    public var presentedAt: Instant?
    /// Whether Apple signed the receipt. Where it did not, there is nothing of the receipt in here.
    public var isGenuine = false
    public var bundleID: ExactText = ""
    /// Attribute 0; empty if the receipt has none.
    public var environment: ExactText = ""
    /// When the receipt was made.
    public var createdAt: Instant?
    /// The purchases that matter under the key: those with the (original) transaction id; for a device or
    /// an account, those that were refunded, and trials and introductory periods.
    public var purchases: [Purchase] = []

    public init(claim: UInt64, source: ExactText) {
        self.claim = claim
        self.source = source
    }
}
