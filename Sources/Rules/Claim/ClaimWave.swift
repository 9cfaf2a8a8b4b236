package import Checks
import DER
package import Encodings
import Inputs
import Proofs

/// Claims of one app that fail one check in the same way on one day.
///
/// If most claims of known customers do, the cause is the app or the export, and no customer: device ids after an app's
/// transfer to another team, or bytes that a database adds to every receipt.
package struct ClaimWave: Hashable, Comparable, Codable, Sendable {
    /// The rule about the failure, by number.
    package var rule: Int
    package var bundleID: ExactText
    /// How the claims fail; empty if there is only one way.
    package var way: ExactText
    /// The day of presentation (UTC), in days since 1970; `nil` if the claims are undated.
    package var day: Int64?

    package init(rule: Int, bundleID: ExactText, way: ExactText, day: Int64?) {
        self.rule = rule
        self.bundleID = bundleID
        self.way = way
        self.day = day
    }

    /// Identifies the wave in findings and marks; 0 stands for none.
    package var number: UInt64 { max(1, ExactText("\(rule) \(day ?? .min) \(bundleID) \(way)").stableHash) }

    /// Sorts later days first, so that a bounded map keeps them.
    package static func < (a: ClaimWave, b: ClaimWave) -> Bool {
        if a.day != b.day { return (a.day ?? .min) > (b.day ?? .min) }
        return (a.rule, a.bundleID, a.way) < (b.rule, b.bundleID, b.way)
    }

    /// What is added to the evidence of a finding in a wave.
    package static let note: ExactText = "most claims of the app's known customers failed in this way on that day"
}

extension ClaimWave {
    /// Returns the wave that a genuine receipt in an altered container would be part of; `nil` if its customer is not
    /// known: the claim has no account, or its device does not match.
    package static func ofAlteredContainer(_ facts: borrowing Facts) -> ClaimWave? {
        guard isOfCustomer(facts), facts.failed.contains(.noncanonicalContainer) else { return nil }
        return ClaimWave(
            rule: RuleBook.alteredContainer, bundleID: facts.bundleID?.boundedID ?? "",
            way: facts.signature?.deviation?.kind ?? "", day: facts.presentedAt?.day)
    }

    /// Makes the wave that a genuine proof on another device than before would be part of.
    package init(ofMismatch observation: Observation) {
        self.init(
            rule: RuleBook.deviceMismatch, bundleID: observation.bundleID.boundedID, way: "",
            day: observation.presentedAt?.day)
    }

    /// Whether a claim's account and device are known to be those of its genuine receipt.
    package static func isOfCustomer(_ facts: borrowing Facts) -> Bool {
        facts.receipt != nil && facts.isGenuine && facts.deviceHash == .match && !facts.claim.account.isEmpty
            && facts.environment != "Xcode"
    }
}

extension ProofDeviation {
    /// The deviation without positions.
    fileprivate var kind: ExactText {
        switch self {
        case .container(.encoding(.leftOver)): "leftover bytes"
        case .container(.encoding): "encoding"
        case .container, .token: ExactText(description)
        }
    }
}

/// Counts the claims of known customers that fail in some way, and those that do not, by app and day.
///
/// Keeps the latest 4,096 of both. The counts do not depend on the order of claims.
package struct WaveTally: Codable, Sendable {
    /// The minimum number of accounts in a wave.
    package static let minAccounts = 20

    /// The claims of one app on one day: those that fail in one way, or those that do not fail.
    package struct Count: Mergeable, Codable, Sendable {
        package var claims = 0
        /// Hashes of accounts: the smallest, as many as a wave needs.
        package var accounts: [UInt64] = []

        package init(claims: Int, accounts: [UInt64] = []) {
            self.claims = claims
            self.accounts = accounts
        }

        package mutating func add(_ other: Count) {
            claims = claims.addingSaturating(other.claims)
            guard !other.accounts.allSatisfy(accounts.contains) else { return }
            accounts = Array(Set(accounts + other.accounts).sorted().prefix(WaveTally.minAccounts))
        }
    }

    package var failing = BottomMap<ClaimWave, Count>()
    /// The claims that match, by app and day.
    package var passing = BottomMap<ClaimWave, Count>()

    package init() {}

    /// Counts a claim by itself.
    package mutating func count(_ facts: borrowing Facts) {
        guard ClaimWave.isOfCustomer(facts) else { return }
        if let wave = ClaimWave.ofAlteredContainer(facts) { add(wave, of: facts.claim.account) }
        guard !facts.failed.contains(.noncanonicalContainer) else { return }
        let all = ClaimWave(rule: 0, bundleID: facts.bundleID?.boundedID ?? "", way: "", day: facts.presentedAt?.day)
        passing.add(all, Count(claims: 1))
    }

    /// Counts a failing claim of a known customer.
    package mutating func add(_ wave: ClaimWave, of account: ExactText) {
        failing.add(wave, Count(claims: 1, accounts: [account.stableHash]))
    }

    package static func += (tally: inout WaveTally, other: WaveTally) {
        tally.failing.add(other.failing)
        tally.passing.add(other.passing)
    }

    package var isEmpty: Bool { failing.sorted.isEmpty }

    /// The waves, each with its number of claims: most claims of the app's known customers fail in the same way on
    /// these days, and at least ``minAccounts`` of its accounts.
    package var waves: [(wave: ClaimWave, claims: Int)] {
        let failing = failing.sorted
        var all: [ClaimWave: Int] = [:]
        for (wave, count) in failing { all[wave.ofAnyWay] = (all[wave.ofAnyWay] ?? 0).addingSaturating(count.claims) }
        let onDays = failing.filter { wave, count in
            let passing = passing[ClaimWave(rule: 0, bundleID: wave.bundleID, way: "", day: wave.day)]?.claims ?? 0
            return count.claims > ((all[wave.ofAnyWay] ?? 0).addingSaturating(passing)) / 2
        }
        let ofApps = Dictionary(grouping: onDays) { $0.key.ofAnyDay }
        return ofApps.sorted { $0.key < $1.key }.flatMap { _, days -> [(wave: ClaimWave, claims: Int)] in
            let accounts = days.reduce(into: Set<UInt64>()) { $0.formUnion($1.value.accounts) }
            return accounts.count < Self.minAccounts ? [] : days.map { ($0.key, $0.value.claims) }
        }
    }
}

extension WaveTally {
    /// A warning for each app and way, with the likely cause.
    package var sentences: [String] {
        let ofApps = Dictionary(grouping: waves) { $0.wave.ofAnyDay }
        return ofApps.sorted { $0.key < $1.key }.map { wave, days in
            let claims = days.reduce(0) { $0.addingSaturating($1.claims) }
            let dates = days.compactMap(\.wave.day).sorted().map { "\(Instant(day: $0).date)" }
            let span =
                dates.count > 1
                ? "between \(dates[0]) and \(dates[dates.count - 1])" : "on \(dates.first ?? "days unknown")"
            let isMismatch = wave.rule == RuleBook.deviceMismatch
            let cause =
                isMismatch
                ? "the app's transfer to another team, or an export of another identifier"
                : "an upload, a column or an export that changes receipts (\(wave.way))"
            return """
                \(claims) claims of known customers of \(wave.bundleID), most of those \(span), fail \
                \(isMismatch ? "guid-mismatch" : "noncanonical-container"): the likely cause is \(cause); their findings are doubtful
                """
        }
    }
}

extension ClaimWave {
    fileprivate var ofAnyWay: ClaimWave { ClaimWave(rule: rule, bundleID: bundleID, way: "", day: day) }
    fileprivate var ofAnyDay: ClaimWave { ClaimWave(rule: rule, bundleID: bundleID, way: way, day: nil) }
}
