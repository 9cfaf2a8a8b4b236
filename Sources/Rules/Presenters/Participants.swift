public import Checks
public import Encodings
public import Inputs
import Receipts

/// Counts the claims, devices and accounts of a finding, in any order.
public struct Participants: Mergeable, Sendable {
    /// The distinct claims. Rows with equal content count once.
    public package(set) var claimIDs = DistinctSketch<ClaimID>()
    /// The distinct cases. Another presentation of one is nothing that a reviewer has not seen.
    public package(set) var caseIDs = DistinctSketch<CaseID>()
    public package(set) var devices = DistinctSketch<Device>()
    public package(set) var accounts = DistinctSketch<ExactText>()
    public package(set) var sources = FirstSources()
    /// The devices that a matching claim shows.
    public package(set) var matchingDevices = DistinctSketch<Device>()
    /// The app of all claims, and the product that they ask for or show under the key.
    package var app = OnlyText()
    package var product = OnlyText()
    /// Whether any claim lacks an account, or a device.
    package var lacksAccount = false
    package var lacksDevice = false
    /// The latest presentation among the claims, if any is dated.
    package var lastPresented: Instant?
    /// The links to other findings, if it may be part of a ring.
    package var links: RingLinks?

    public init() {}

    /// The number of distinct claims.
    public var claims: Int { claimIDs.count }

    /// The account, if all claims name the same one (column `account_id`).
    ///
    /// A claim without an account may be anybody's, so the finding then accuses nobody by name.
    public var onlyAccount: ExactText? { lacksAccount || accounts.isMore(than: 1) ? nil : accounts.sorted.first }

    /// Returns the device, if all claims name the same one, and a claim shows that it is the proof's (column
    /// `device_id`).
    ///
    /// Anybody with a copy of a proof can present it under its owner's device id, and it matches. So a high or critical
    /// finding names a device only if the device is its subject.
    ///
    /// - Parameters:
    ///   - severity: the finding's severity.
    ///   - subject: the finding's subject.
    public func onlyDevice(at severity: Severity, about subject: ExactText) -> Device? {
        guard !lacksDevice, !devices.isMore(than: 1), let device = matchingDevices.sorted.first else { return nil }
        return severity < .high || subject == ExactText("device:\(device)") ? device : nil
    }

    /// - Parameters:
    ///   - withAsked: whether the product counts that the claim asks for.
    ///   - withProducts: whether to use the products that the claim shows, if it asks for none.
    mutating func add(_ observation: Observation, withAsked: Bool = true, withProducts: Bool = true) {
        claimIDs.insert(observation.id)
        caseIDs.insert(observation.caseID)
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
        let asked = withAsked ? observation.askedProduct : ""
        product.add(asked)
        guard asked.isEmpty, withProducts else { return }
        for purchase in observation.purchases {
            if product.areSeveral { break }
            product.add(purchase.productID.boundedID)
        }
    }

    /// Removes the accounts that are placeholders of the run, from a finding about a claim by itself.
    package mutating func remove(_ placeholders: AccountPlaceholders) {
        let named = accounts.sorted
        let kept = named.filter { !placeholders.contains($0) }
        guard kept.count < named.count else { return }
        accounts = DistinctSketch(kept, isExact: accounts.isExact)
        lacksAccount = true
    }

    /// Adds the participants of another finding or another part of this one.
    package mutating func add(_ other: Participants) {
        claimIDs.add(other.claimIDs)
        caseIDs.add(other.caseIDs)
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

/// A text, as long as all added texts are equal.
package struct OnlyText: Codable, Sendable {
    /// The text; empty if none was added, or several different ones.
    package private(set) var text: ExactText = ""
    package private(set) var areSeveral = false

    package init() {}

    /// Restores added texts.
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

/// What joins a finding to others in a ring: the presenters of its genuine claims.
package struct RingLinks: Mergeable, Sendable {
    /// The finding's subject, which may become a ring's name.
    package var subject: ExactText
    package var devices = DistinctSketch<Device>()
    package var matchingDevices = DistinctSketch<Device>()
    package var accounts = DistinctSketch<ExactText>()
    /// The accounts with mismatching claims.
    package var mismatchedAccounts = DistinctSketch<ExactText>()
    /// The accounts with matching claims, those that may have been the first of all to present it, and those to which it
    /// may have been handed over. No ring is named after them.
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

    /// Excludes a presenter from the names of rings.
    mutating func clear(_ presenter: Presenter) {
        if !presenter.account.isEmpty { clearedAccounts.insert(presenter.account) }
    }

    package mutating func add(_ other: RingLinks) {
        devices.add(other.devices)
        matchingDevices.add(other.matchingDevices)
        accounts.add(other.accounts)
        mismatchedAccounts.add(other.mismatchedAccounts)
        clearedAccounts.add(other.clearedAccounts)
    }
}
