import Checks
import Encodings
import Proofs
import Receipts
import SampleStore

/// The rules of many claims.
extension RuleOracle {
    /// One purchase as one claim shows it.
    private struct Sight {
        let witness: Witness
        let purchase: Purchase
        var original: String { (purchase.originalTransactionID ?? purchase.transactionID).text }
        /// What makes it one purchase, however often it is restored.
        var identity: String { purchase.webOrderLineItemID.map { "item \($0)" } ?? purchase.transactionID.text }
    }

    mutating func judgeTogether() {
        let sights = witnesses.flatMap { witness in
            witness.purchases.map { Sight(witness: witness, purchase: $0) }
        }
        judgeReceipts()
        for (original, sights) in Dictionary(grouping: sights, by: \.original) { judge(original: original, sights) }
        for sights in Dictionary(grouping: sights, by: \.purchase.transactionID).values { judge(transaction: sights) }
        let byDevice = Dictionary(grouping: sights.filter { $0.witness.device != nil }) { $0.witness.device ?? "" }
        let byAccount = Dictionary(grouping: sights.filter { !$0.witness.account.isEmpty }, by: \.witness.account)
        for (device, sights) in byDevice {
            judgeRefunds("device:" + device, sights.filter(\.witness.account.isEmpty))
            judgeTrials("device:" + device, sights)
        }
        for (account, sights) in byAccount {
            judgeRefunds("account:" + account, sights)
            judgeTrials("account:" + account, sights)
        }
        judgeRings()
    }

    /// The distinct devices and accounts of some claims.
    private func devices(_ witnesses: [Witness]) -> Int { Set(witnesses.compactMap(\.device)).count }
    private func accounts(_ witnesses: [Witness]) -> Int { Set(witnesses.map(\.account)).subtracting([""]).count }

    private mutating func judgeReceipts() {
        let readable = witnesses.filter { $0.facts.signature != nil }
        let byContent = Dictionary(grouping: readable) { witness in
            witness.facts.signature.map { Hex.string($0.contentDigest.octets) } ?? ""
        }
        for (digest, claims) in byContent where devices(claims) >= 2 {
            add(.sharedReceipt, .critical, "receipt:" + digest, claims)
        }
        for (device, claims) in Dictionary(grouping: witnesses.filter { $0.device != nil }, by: { $0.device ?? "" }) {
            if accounts(claims) > 5 { add(.crowdedDevice, .medium, "device:" + device, claims) }
            let genuine = claims.filter { $0.facts.isGenuine }
            let involved = genuine.filter { one in genuine.contains { Self.contradict(one, $0) } }
            if !involved.isEmpty { add(.snapshotRollback, .low, "device:" + device, involved) }
        }
    }

    /// Whether the order of presentation of two snapshots of one app is not that of their creation.
    private static func contradict(_ one: Witness, _ other: Witness) -> Bool {
        guard let a = one.facts.receipt, let b = other.facts.receipt, a.bundleID == b.bundleID,
            let early = one.claim.row.presentedAt, let late = other.claim.row.presentedAt
        else { return false }
        return early < late && a.createdAt > b.createdAt || early > late && a.createdAt < b.createdAt
    }

    private mutating func judge(original: String, _ sights: [Sight]) {
        let claims = sights.map(\.witness)
        let verified = devices(claims.filter(\.deviceHashMatches))
        let count = verified > 0 ? verified : devices(claims)
        if count > 5 { add(.sharedTransaction, count > 10 ? .high : .medium, "transaction:" + original, claims) }
        if accounts(claims) > 1 { add(.sharedAccount, .high, "transaction:" + original, claims) }
    }

    private mutating func judge(transaction sights: [Sight]) {
        let claims = sights.map(\.witness)
        let subject = "transaction:" + (sights.map(\.original).min() ?? "")
        if sights.contains(where: { $0.purchase.kind == .consumable }), devices(claims) > 1 || accounts(claims) > 1 {
            add(.replayedConsumable, .critical, subject, claims)
        }
        let tales = sights.map { [$0.purchase.productID.text, $0.purchase.purchaseDate.description, $0.original] }
        if Set(tales).count > 1 { add(.transactionConflict, .critical, subject, claims) }
        guard let refund = sights.compactMap(\.purchase.cancellationDate).min() else { return }
        let hiding = sights.filter { sight in
            sight.purchase.cancellationDate == nil && sight.witness.claim.row.presentedAt.map { $0 > refund } == true
        }
        if !hiding.isEmpty {
            let showing = sights.filter { $0.purchase.cancellationDate != nil }
            add(.hiddenRefund, .high, subject, (showing + hiding).map(\.witness))
        }
    }

    private mutating func judgeRefunds(_ subject: String, _ sights: [Sight]) {
        let refunds = sights.filter { $0.purchase.cancellationDate != nil }
        if Set(refunds.map(\.identity)).count >= 3 { add(.repeatRefunds, .medium, subject, refunds.map(\.witness)) }
    }

    private mutating func judgeTrials(_ subject: String, _ sights: [Sight]) {
        let trials = sights.filter { $0.purchase.isTrialPeriod || $0.purchase.isInIntroOfferPeriod }
        // All subscriptions of an app are in one group.
        for trials in Dictionary(grouping: trials, by: { $0.witness.facts.receipt?.bundleID ?? "" }).values {
            guard Set(trials.map(\.identity)).count > 1 else { continue }
            let isOne = Dictionary(grouping: trials, by: \.original).values.contains {
                Set($0.map(\.identity)).count > 1
            }
            add(.trialAbuse, isOne ? .high : .medium, subject, trials.map(\.witness))
        }
    }

    /// Joins devices by findings, the slow way.
    private mutating func judgeRings() {
        let rules: Set = [Plant.sharedReceipt, .sharedAccount, .transactionConflict]
        let bySource = Dictionary(uniqueKeysWithValues: witnesses.map { ($0.claim.source, $0) })
        let links = found.filter { Plant(rawValue: $0.rule).map(rules.contains) == true }.map { finding in
            finding.sources.compactMap { bySource[$0] }
        }
        var rings = links.map { [$0] }
        while let (a, b) = rings.joined {
            rings[a] += rings[b]
            rings.remove(at: b)
        }
        for ring in rings where ring.count >= 2 {
            let claims = ring.flatMap { $0 }
            guard devices(claims) >= 3, let first = claims.compactMap(\.device).min() else { continue }
            add(.fraudRing, .critical, "device:" + first, claims)
        }
    }
}

extension [[[RuleOracle.Witness]]] {
    /// Two of these that have a device in common.
    fileprivate var joined: (Int, Int)? {
        let devices = map { Set($0.joined().compactMap(\.device)) }
        for a in indices {
            for b in indices where b > a && !devices[a].isDisjoint(with: devices[b]) { return (a, b) }
        }
        return nil
    }
}
