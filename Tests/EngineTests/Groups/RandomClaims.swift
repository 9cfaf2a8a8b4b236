import Checks
import Encodings
import Inputs
import Proofs
import Receipts
import Rules
import SampleStore

@testable import Engine

/// One claim as it enters the shuffle.
struct GroupedClaim {
    /// The number of its block, above the 16 bits of its index in the block.
    var number: ClaimNumber
    /// Its row up to the cells `risk` and `rules`.
    var row: String
    var observations: ClaimObservations
    /// What the table `links` shows of it.
    var link: LinkFacts
    /// The findings of rules for single claims.
    var findings: [Finding]
}

extension GroupedClaim {
    /// The same claim, presented again in another row.
    fileprivate func again(_ number: ClaimNumber, source: ExactText) -> GroupedClaim {
        var again = self
        var presented = observations.presented
        (presented.claim, presented.source) = (number, source)
        again.number = number
        again.row = "\(source)\t"
        again.observations = ClaimObservations(
            presented: presented, contentDigest: observations.contentDigest, purchases: observations.purchases)
        again.link.source = source
        for index in findings.indices { again.findings[index].involved.sources = FirstSources([source]) }
        return again
    }
}

/// Claims from a seed. Receipts, devices and accounts are few, so that claims have keys in common. The names of
/// apps are long, so that a few hundred claims fill many of the smallest buffers, which have 64 KiB. One claim in twelve
/// says the same as one before it.
struct RandomClaims {
    private var random: SeededGenerator
    private let variety: Int
    private var receipts: [Receipt] = []
    private var earlier: [GroupedClaim] = []
    private static let app = "com.example." + String(repeating: "app-", count: 200)

    /// What all claims with one receipt show.
    private struct Receipt {
        var digest: [UInt8]
        var isGenuine: Bool
        var bundleID: ExactText
        var environment: ExactText
        var createdAt: Instant
        var purchases: [Purchase]
        /// The token's nonce, if it is a token, and the person whose it is.
        var nonce: ExactText?
        var person: ExactText = ""
    }

    /// - Parameter variety: about how many receipts, devices, accounts and transactions there are.
    init(seed: UInt64, variety: Int) {
        random = SeededGenerator(seed: seed)
        self.variety = max(1, variety)
        for _ in 0..<self.variety { receipts.append(receipt()) }
    }

    /// Claims in blocks of these sizes. Every third claim shows the first receipt.
    mutating func claims(inBlocksOf sizes: [Int]) -> [GroupedClaim] {
        var claims: [GroupedClaim] = []
        for (block, size) in sizes.enumerated() {
            for index in 0..<size {
                claims.append(
                    claim(ClaimNumber(block: UInt64(block), index: index), row: claims.count + 2))
            }
        }
        return claims
    }

    private mutating func claim(_ number: ClaimNumber, row: Int) -> GroupedClaim {
        if !earlier.isEmpty, random.below(12) == 0 {
            return earlier[random.below(earlier.count)].again(number, source: "claims.csv:\(row)")
        }
        let claim = newClaim(number, row: row)
        earlier.append(claim)
        return claim
    }

    private mutating func newClaim(_ number: ClaimNumber, row: Int) -> GroupedClaim {
        let receipt = random.below(3) == 0 ? receipts[0] : receipts[random.below(variety)]
        var presented = Observation(claim: number, source: "claims.csv:\(row)")
        presented.device = random.chance(percent: 10) ? nil : device()
        presented.id = ClaimID(high: number.rawValue &+ 1, low: 0)
        presented.deviceHash = presented.device == nil ? .notChecked : random.chance(percent: 60) ? .match : .mismatch
        presented.accountID = random.chance(percent: 30) ? "" : "user-\(random.below(variety))"
        presented.presentedAt = random.chance(percent: 15) ? nil : date()
        presented.isGenuine = receipt.isGenuine
        if receipt.isGenuine {
            presented.bundleID = receipt.bundleID
            presented.environment = receipt.environment
            presented.createdAt = receipt.createdAt
            presented.originalPurchaseDate = random.chance(percent: 90) ? Instant(seconds: 0) : nil
            if let nonce = receipt.nonce {
                (presented.kind, presented.nonce, presented.tokenDigest) = (.transaction, nonce, receipt.digest)
                presented.appTransactionID = receipt.person
            }
        }
        let isReadable = random.chance(percent: 95)
        if receipt.isGenuine, receipt.nonce == nil, isReadable { presented.tokenDigest = receipt.digest }
        let observations = ClaimObservations(
            presented: presented, contentDigest: isReadable ? Digest(octets: receipt.digest) : nil,
            purchases: receipt.isGenuine ? receipt.purchases : [])
        return GroupedClaim(
            number: number, row: "\(presented.source)\t", observations: observations, link: LinkFacts(observations),
            findings: findings(about: presented))
    }

    private mutating func findings(about claim: Observation) -> [Finding] {
        let rules = Set((0..<random.below(12) / 9).map { _ in random.below(RuleBook.claimRules.count) })
        return rules.sorted().map { rule in
            var involved = Participants()
            involved.claimIDs.insert(claim.id)
            if let device = claim.device { involved.devices.insert(device) }
            if !claim.accountID.isEmpty { involved.accounts.insert(claim.accountID) }
            involved.sources = FirstSources([claim.source])
            return Finding(
                severity: Severity.allCases[random.below(Severity.allCases.count)], rule: rule,
                subject: "claim:\(claim.id.description)", involved: involved, evidence: "evidence \(random.below(3))")
        }
    }

    private mutating func receipt() -> Receipt {
        let count = random.chance(percent: 10) ? 40 : random.below(6)
        var receipt = Receipt(
            digest: random.octets(32), isGenuine: random.chance(percent: 90),
            bundleID: "\(Self.app)\(random.below(3))",
            environment: ["Production", "Sandbox", "", "another"][random.below(4)], createdAt: date(),
            purchases: (0..<count).map { _ in purchase() })
        if !receipts.isEmpty, random.chance(percent: 30) {
            let first = receipt.purchases.first
            receipt.purchases = [purchase()]
            receipt.purchases[0].transactionID = first?.transactionID ?? "700001"
            if random.chance(percent: 80) {
                receipt.purchases[0].originalTransactionID = first?.originalTransactionID ?? "700001"
            }
            receipt.nonce = "nonce-\(random.below(2))"
            receipt.person = random.chance(percent: 20) ? "" : "person-\(random.below(9))"
            var details = TransactionDetails()
            details.storefront = ["DEU", "TUR", nil][random.below(3)]
            if random.chance(percent: 30) { details.revocationType = "FAMILY_REVOKE" }
            details.offerType = random.chance(percent: 50) ? 1 : nil
            receipt.purchases[0].details = details
        }
        return receipt
    }

    private mutating func purchase() -> Purchase {
        var purchase = Purchase(
            productID: ["gold", "silver", "coins", "caf\u{e9}", "cafe\u{301}"][random.below(5)],
            transactionID: random.chance(percent: 3) ? "0" : "\(700_000 + random.below(2 * variety))",
            purchaseDate: date())
        if random.chance(percent: 60) { purchase.originalTransactionID = "\(700_000 + random.below(variety))" }
        if random.chance(percent: 20) { purchase.originalPurchaseDate = date() }
        purchase.kind = [nil, .nonConsumable, .consumable, .autoRenewable, .autoRenewable][random.below(5)]
        if random.chance(percent: 60) { purchase.expiresDate = date() }
        if random.chance(percent: 50) { purchase.webOrderLineItemID = 1 + random.below(variety) }
        if random.chance(percent: 15) { purchase.cancellationDate = date() }
        purchase.isTrialPeriod = random.chance(percent: 15)
        purchase.isInIntroOfferPeriod = random.chance(percent: 10)
        if random.chance(percent: 10) { purchase.promotionalOfferID = "loyal" }
        return purchase
    }

    /// A UUID or, rarely, a MAC address.
    private mutating func device() -> Device? {
        let number = random.below(variety)
        var octets = [UInt8](repeating: 0x40, count: number % 7 == 6 ? 6 : 16)
        octets[1] = UInt8(truncatingIfNeeded: number >> 16)
        octets[2] = UInt8(truncatingIfNeeded: number >> 8)
        octets[3] = UInt8(truncatingIfNeeded: number)
        return Device(octets: octets.span)
    }

    /// A day of the two years before the reference time of samples.
    private mutating func date() -> Instant {
        SampleExport.asOf.adding(seconds: -86_400 * Int64(random.below(730)) - Int64(random.below(3)))
    }
}
