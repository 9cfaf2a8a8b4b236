public import Checks
public import Encodings
public import Inputs
import Receipts

/// Counts the claims, devices and accounts that a finding is about, in any order.
public struct Participants: Mergeable, Sendable {
    /// The distinct claims: rows that say the same are one.
    public package(set) var claimIDs = DistinctSketch<ClaimID>()
    public package(set) var devices = DistinctSketch<Device>()
    public package(set) var accounts = DistinctSketch<ExactText>()
    public package(set) var sources = FirstSources()
    /// The devices that a matching claim shows.
    public package(set) var matchingDevices = DistinctSketch<Device>()
    /// The app of all claims, and the product that they ask for or show under the key.
    package var app = OnlyText()
    package var product = OnlyText()
    /// Whether some claim names no account, or no device.
    package var lacksAccount = false
    package var lacksDevice = false
    /// The latest presentation of a claim, if any says when it was.
    package var lastPresented: Instant?
    /// What joins the finding to others, if it may be part of a ring.
    package var links: RingLinks?

    public init() {}

    /// The number of distinct claims.
    public var claims: Int { claimIDs.count }

    /// The account, if all claims name one and the same (column `account_id`).
    ///
    /// A claim without an account may be anybody's, and then the finding accuses nobody by name.
    public var onlyAccount: ExactText? { lacksAccount || accounts.isMore(than: 1) ? nil : accounts.sorted.first }

    /// Returns the device, if all claims name one and the same, and a claim shows that it is the proof's (column
    /// `device_id`).
    ///
    /// Whoever has a copy of a receipt can present it under its owner's device id, with an account of their own: so a
    /// high or critical finding names a device only if all claims name the same account, or none, and never if it is
    /// about a claim by itself.
    ///
    /// - Parameters:
    ///   - severity: the finding's.
    ///   - isOfClaim: whether it is about a claim by itself.
    public func onlyDevice(at severity: Severity, isOfClaim: Bool) -> Device? {
        guard !lacksDevice, !devices.isMore(than: 1), let device = matchingDevices.sorted.first else { return nil }
        if isOfClaim { return severity < .high ? device : nil }
        let isOfOne = accounts.isMore(than: 0) == !lacksAccount && !accounts.isMore(than: 1)
        return severity < .high || isOfOne ? device : nil
    }

    /// - Parameter withProducts: whether the products are those that the claim shows, if it asks for none.
    mutating func add(_ observation: Observation, withProducts: Bool = true) {
        claimIDs.insert(observation.id)
        if let device = observation.device {
            devices.insert(device)
            if observation.isMatching { matchingDevices.insert(device) }
        } else {
            lacksDevice = true
        }
        if observation.accountID.isEmpty { lacksAccount = true } else { accounts.insert(observation.accountID) }
        sources.insert(observation.source)
        lastPresented.addGreatest(observation.presentedAt)
        app.add(observation.bundleID.boundedID)
        product.add(observation.askedProduct)
        guard observation.askedProduct.isEmpty, withProducts else { return }
        for purchase in observation.purchases {
            if product.areSeveral { break }
            product.add(purchase.productID.boundedID)
        }
    }

    /// Adds what another finding or another part of this one is about.
    package mutating func add(_ other: Participants) {
        claimIDs.add(other.claimIDs)
        devices.add(other.devices)
        accounts.add(other.accounts)
        matchingDevices.add(other.matchingDevices)
        for source in other.sources.names { sources.insert(source) }
        lastPresented.addGreatest(other.lastPresented)
        app.add(other.app)
        product.add(other.product)
        lacksAccount = lacksAccount || other.lacksAccount
        lacksDevice = lacksDevice || other.lacksDevice
        if let otherLinks = other.links {
            if links == nil { links = otherLinks } else { links?.add(otherLinks) }
        }
    }
}

/// A text, as long as all that is added are the same.
package struct OnlyText: Codable, Sendable {
    /// Empty if nothing was added, or several texts.
    package private(set) var text: ExactText = ""
    package private(set) var areSeveral = false

    package init() {}

    /// Restores what was added.
    package init(_ text: ExactText, areSeveral: Bool) {
        self.areSeveral = areSeveral
        self.text = areSeveral ? "" : text
    }

    /// Adds a text, unless it is empty.
    package mutating func add(_ other: ExactText) {
        guard !areSeveral, !other.isEmpty, other != text else { return }
        if text.isEmpty { text = other } else { (text, areSeveral) = ("", true) }
    }

    mutating func add(_ other: OnlyText) {
        if other.areSeveral { (text, areSeveral) = ("", true) } else { add(other.text) }
    }
}

/// What joins a finding to others in a ring: who presents its genuine claims.
package struct RingLinks: Mergeable, Sendable {
    /// The finding's subject, by which a ring may be named.
    package var subject: ExactText
    package var devices = DistinctSketch<Device>()
    package var matchingDevices = DistinctSketch<Device>()
    package var accounts = DistinctSketch<ExactText>()
    /// The accounts with claims that do not match.
    package var mismatchedAccounts = DistinctSketch<ExactText>()
    /// The accounts with claims that match, and those that may have been the first of all to present it: no ring is named
    /// after them.
    package var clearedAccounts = DistinctSketch<ExactText>()

    package init(subject: ExactText) { self.subject = subject }

    package mutating func add(_ observation: Observation, as role: MarkRole) {
        guard observation.isGenuine else { return }
        if let device = observation.device {
            devices.insert(device)
            if observation.isMatching { matchingDevices.insert(device) }
        }
        guard !observation.accountID.isEmpty else { return }
        accounts.insert(observation.accountID)
        if observation.deviceHash == .mismatch { mismatchedAccounts.insert(observation.accountID) }
        if observation.isMatching || role.isOfEarliest { clearedAccounts.insert(observation.accountID) }
    }

    package mutating func add(_ other: RingLinks) {
        devices.add(other.devices)
        matchingDevices.add(other.matchingDevices)
        accounts.add(other.accounts)
        mismatchedAccounts.add(other.mismatchedAccounts)
        clearedAccounts.add(other.clearedAccounts)
    }
}

/// What is stored of a sketch: the values that it keeps, in order, and whether these are all. There is one property for
/// each type, here, so that the compiler specializes its code.
extension DistinctSketch<ClaimID> {
    package var stored: (values: [ClaimID], isExact: Bool) {
        get { (sorted, isExact) }
        set { self = DistinctSketch(newValue.values, isExact: newValue.isExact) }
    }
}

extension DistinctSketch<Device> {
    package var stored: (values: [Device], isExact: Bool) {
        get { (sorted, isExact) }
        set { self = DistinctSketch(newValue.values, isExact: newValue.isExact) }
    }
}

extension DistinctSketch<ExactText> {
    package var stored: (values: [ExactText], isExact: Bool) {
        get { (sorted, isExact) }
        set { self = DistinctSketch(newValue.values, isExact: newValue.isExact) }
    }
}
