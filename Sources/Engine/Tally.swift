public import Checks
public import Encodings
import Inputs
package import Rules
public import Subscriptions

/// Counts of claims, which add up in any order.
public struct Tally: Sendable, Codable {
    public private(set) var claims = 0
    public private(set) var verdicts = KindCounts<Verdict>()
    public private(set) var failedChecks = KindCounts<Check>()
    public private(set) var deviceHashResults = KindCounts<DeviceHashResult>()
    /// The number of claims that name a device.
    public private(set) var claimedDevices = 0
    /// The number of those that name it in `device_id`.
    public private(set) var deviceIDs = 0
    /// The number of tokens in a form that may be newer than this program.
    public private(set) var newerForms = 0
    /// The number of proofs with a creation date more than a day after the reference time.
    public private(set) var datedLater = 0
    /// The number of claims whose device was compared with their proof.
    public var withDevice: Int { deviceHashResults[.match].addingSaturating(deviceHashResults[.mismatch]) }
    /// The number of claims with a readable `presented_at`, and of those more than a day after the reference time.
    public private(set) var dated = 0
    /// The earliest possible `presented_at`.
    public private(set) var firstPresented: Instant?
    public private(set) var presentedLater = 0
    /// The number of rows with text that is not UTF-8.
    public private(set) var otherTexts = 0
    /// Signs that exports do not contain what was meant.
    public private(set) var doubts = ClaimDoubts()
    /// The forms of accounts.
    public private(set) var accounts = AccountForms()
    /// The members and values of tokens that this version does not know.
    public private(set) var unknown = UnknownTally()
    /// The claims of known customers that fail in the same way.
    package var waves = WaveTally()
    /// The genuine claims by app, without those that are not of the app that they name.
    public private(set) var apps = AppTally()

    public init() {}

    public mutating func count(_ facts: Facts) {
        claims = claims.addingSaturating(1)
        verdicts.add(facts.verdict)
        for check in facts.failed.sorted { failedChecks.add(check) }
        deviceHashResults.add(facts.deviceHash)
        if !facts.claim.deviceID.isEmpty || !facts.claim.deviceVerificationID.isEmpty {
            claimedDevices = claimedDevices.addingSaturating(1)
        }
        if !facts.claim.deviceID.isEmpty { deviceIDs = deviceIDs.addingSaturating(1) }
        if facts.isOfNewerForm { newerForms = newerForms.addingSaturating(1) }
        if facts.isDatedLater { datedLater = datedLater.addingSaturating(1) }
        if facts.claim.presentedAt != nil { dated = dated.addingSaturating(1) }
        if let date = facts.presentedAt { firstPresented = min(firstPresented ?? date, date) }
        if facts.impossiblePresentation?.dependsOnAsOf == true { presentedLater = presentedLater.addingSaturating(1) }
        if case .input(let fault) = facts.fault, fault.isOtherText { otherTexts = otherTexts.addingSaturating(1) }
        doubts.count(facts)
        accounts.count(facts.claim)
        unknown.count(facts)
        waves.count(facts)
        if facts.isGenuine, !facts.failed.contains(.bundleIDMismatch) { apps.count(facts.bundleID) }
    }

    /// What rows lack, with their numbers.
    public var omissions: [(what: String, count: Int)] { doubts.omissions(addingAccounts: accounts.placeholderCount) }

    /// Counts a token inside a claim's token. It is not a claim.
    package mutating func count(inside facts: Facts) { unknown.count(facts) }

    public static func += (tally: inout Tally, other: Tally) {
        tally.claims = tally.claims.addingSaturating(other.claims)
        tally.verdicts += other.verdicts
        tally.failedChecks += other.failedChecks
        tally.deviceHashResults += other.deviceHashResults
        tally.claimedDevices = tally.claimedDevices.addingSaturating(other.claimedDevices)
        tally.deviceIDs = tally.deviceIDs.addingSaturating(other.deviceIDs)
        tally.newerForms = tally.newerForms.addingSaturating(other.newerForms)
        tally.datedLater = tally.datedLater.addingSaturating(other.datedLater)
        tally.dated = tally.dated.addingSaturating(other.dated)
        if let date = other.firstPresented { tally.firstPresented = min(tally.firstPresented ?? date, date) }
        tally.presentedLater = tally.presentedLater.addingSaturating(other.presentedLater)
        tally.otherTexts = tally.otherTexts.addingSaturating(other.otherTexts)
        tally.doubts += other.doubts
        tally.accounts += other.accounts
        tally.unknown += other.unknown
        tally.waves += other.waves
        tally.apps += other.apps
    }
}

/// The number of claims of one INPUT, the reasons why some are unreadable, and signs that its text is not what was
/// meant.
public struct InputTally: Sendable, Codable {
    public private(set) var claims = 0
    public private(set) var unreadable = 0
    public private(set) var failedChecks = KindCounts<Check>()
    public private(set) var otherTexts = 0
    public private(set) var doubts = ClaimDoubts()

    public init() {}

    public init(_ tally: Tally) {
        claims = tally.claims
        unreadable = tally.verdicts[.unreadable]
        failedChecks = tally.failedChecks
        otherTexts = tally.otherTexts
        doubts = tally.doubts
    }

    public static func += (tally: inout InputTally, other: InputTally) {
        tally.claims = tally.claims.addingSaturating(other.claims)
        tally.unreadable = tally.unreadable.addingSaturating(other.unreadable)
        tally.failedChecks += other.failedChecks
        tally.otherTexts = tally.otherTexts.addingSaturating(other.otherTexts)
        tally.doubts += other.doubts
    }
}
