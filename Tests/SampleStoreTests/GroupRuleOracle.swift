import Checks
import Encodings
import Inputs
import Receipts
import SampleStore

/// The rules of many claims.
extension RuleOracle {
    /// One purchase as one claim shows it.
    struct Observation {
        let witness: Witness
        let purchase: Purchase
        var original: String { (purchase.originalTransactionID ?? purchase.transactionID).text }
        /// What makes it one purchase, however often it is restored.
        var identity: String { purchase.webOrderLineItemID.map { "item \($0)" } ?? purchase.transactionID.text }
        /// Whether Apple ended a family's sharing, which is no refund.
        var isSharingEnded: Bool { purchase.details?.revocationType == "FAMILY_REVOKE" }
        /// Whether money went back.
        var isRefund: Bool { RuleOracle.isRefund(purchase, among: witness.purchases) }
        var isMember: Bool { purchase.details?.ownership == "FAMILY_SHARED" }
        var isToken: Bool { witness.facts.token != nil }
        /// What a refund is of: a period, what does not end, or a transaction.
        var period: String { purchase.webOrderLineItemID.map { "item \($0)" } ?? original }
    }

    mutating func checkTogether() {
        let observations = witnesses.flatMap { witness in
            witness.purchases.map { Observation(witness: witness, purchase: $0) }
        }
        checkReceipts()
        checkAppAccounts()
        checkTokens(observations)
        for (original, observations) in Dictionary(grouping: observations, by: \.original) {
            check(original: original, observations)
        }
        for observations in Dictionary(grouping: observations, by: \.purchase.transactionID).values {
            check(transaction: observations)
        }
        let byDevice = Dictionary(grouping: observations.filter(\.witness.isMatching)) { $0.witness.device ?? "" }
        let byAccount = Dictionary(grouping: observations.filter { !$0.witness.account.isEmpty }, by: \.witness.account)
        for (device, observations) in byDevice {
            let unnamed = observations.filter { $0.witness.account.isEmpty && $0.witness.person == nil }
            checkRefunds("device:" + device, unnamed)
            checkTrials("device:" + device, observations)
        }
        for (account, observations) in byAccount {
            checkRefunds("account:" + account, observations)
            checkTrials("account:" + account, observations)
            checkBurst(account, observations.map { ($0.witness, $0.purchase) })
        }
        checkRings()
    }

    /// Purchases within minutes over an account's receipts. None of the receipts is a burst alone.
    private mutating func checkBurst(_ account: String, _ purchases: [(witness: Witness, purchase: Purchase)]) {
        let alone = found.filter { $0.rule == Plant.purchaseBurst.rawValue }.flatMap(\.sources)
        guard !purchases.contains(where: { alone.contains($0.witness.claim.source) }) else { return }
        let dates = Dictionary(grouping: purchases, by: \.purchase.transactionID)
            .compactMap { $0.value.first?.purchase.purchaseDate }.sorted()
        guard let start = zip(dates, dates.dropFirst(20)).first(where: { $1 <= $0.adding(seconds: 600) })?.0 else {
            return
        }
        let involved = purchases.filter {
            $0.purchase.purchaseDate >= start && $0.purchase.purchaseDate <= start.adding(seconds: 600)
        }
        add(.purchaseBurst, .medium, "account:" + account, involved.map(\.witness))
    }

    /// The distinct devices and accounts of some claims.
    func devices(_ witnesses: [Witness]) -> Int { Set(witnesses.compactMap(\.device)).count }
    func accounts(_ witnesses: [Witness]) -> Int { Set(witnesses.map(\.account)).subtracting([""]).count }

    private mutating func checkReceipts() {
        // A token of a server is bound to no device.
        let readable = witnesses.filter { witness in
            witness.facts.signature != nil && (witness.facts.token == nil || witness.nonce != nil)
        }
        for (digest, claims) in Dictionary(grouping: readable, by: \.contentHash) {
            if devices(claims) >= 2 {
                add(.sharedReceipt, isHandOver(claims) ? .medium : .critical, "receipt:" + digest, claims)
            }
            let unnamed = claims.filter { $0.device == nil && $0.account.isEmpty }
            guard unnamed.count >= 3 else { continue }
            let malformed = Set(unnamed.filter(\.facts.claimedDevice.isMalformed).map(\.claim.row.deviceID))
            let severity: ExpectedFinding.Severity =
                malformed.count >= 3 ? .high : devices(claims) > 0 ? .medium : .low
            add(.unattributedReplay, severity, "receipt:" + digest, unnamed)
        }
        let verified = witnesses.filter(\.isMatching)
        for (device, claims) in Dictionary(grouping: verified, by: { $0.device ?? "" }) {
            if accounts(claims) > 5 { add(.crowdedDevice, .medium, "device:" + device, claims) }
            let involved = claims.filter { one in claims.contains { Self.contradict(one, $0) } }
            if !involved.isEmpty { add(.snapshotRollback, .low, "device:" + device, involved) }
        }
        let inProduction = verified.filter { $0.facts.receipt?.environment == "Production" }
        let apps = Dictionary(grouping: inProduction) { witness in
            "\(witness.facts.receipt?.bundleID.text ?? ""):\(witness.originallyPurchasedAt ?? "")"
        }
        for (app, claims) in apps {
            let involved = claims.filter { claim in
                let near = claims.filter { abs($0.presentedAt.seconds - claim.presentedAt.seconds) <= 90 * 86_400 }
                return devices(near) > 10
            }
            if !involved.isEmpty { add(.lentApp, .low, "app:" + app, claims) }
        }
    }

    /// Accounts with one receipt or app transaction that shows no transaction; those who match it count as one.
    private mutating func checkAppAccounts() {
        let signed = witnesses.filter { $0.facts.signature != nil }
        for (digest, claims) in Dictionary(grouping: signed, by: \.contentHash) {
            let named = claims.filter { claim in
                claim.facts.isGenuine && !claim.account.isEmpty && claim.purchases.isEmpty
                    && (claim.facts.token == nil || claim.facts.token?.kind == .appTransaction)
            }
            let count = accounts(named) - max(0, accounts(named.filter(\.isMatching)) - 1)
            guard count > 1 else { continue }
            let bound = claims.filter { $0.facts.token == nil || $0.nonce != nil }
            let isShared = devices(bound) >= 2
            guard !isShared || isHandOver(bound) && count > 6 else { continue }
            add(.sharedAccount, count > 6 ? .high : .medium, "receipt:" + digest, named)
        }
    }

    /// At most one account and three devices; or two accounts on a device each, and the earlier one soon ends.
    func isHandOver(_ claims: [Witness]) -> Bool {
        if accounts(claims) <= 1 { return devices(claims) <= 3 }
        let sides = Dictionary(grouping: claims, by: \.account).values
            .map { $0.sorted { $0.presentedAt < $1.presentedAt } }
            .sorted { ($0.first?.presentedAt ?? .utc(1970)) < ($1.first?.presentedAt ?? .utc(1970)) }
        guard sides.count == 2, sides.allSatisfy({ devices($0) == 1 }), devices(claims) == 2,
            let ended = sides[0].last?.presentedAt, let began = sides[1].first?.presentedAt
        else { return false }
        return ended < began.adding(seconds: 30 * 86_400)
    }

    /// Whether the order of presentation of two snapshots of one app is not that of their creation.
    private static func contradict(_ one: Witness, _ other: Witness) -> Bool {
        guard let a = one.facts.receipt, let b = other.facts.receipt, a.bundleID == b.bundleID,
            let early = one.claim.row.presentedAt, let late = other.claim.row.presentedAt
        else { return false }
        return early < late && a.createdAt > b.createdAt || early > late && a.createdAt < b.createdAt
    }

    private mutating func check(original: String, _ observations: [Observation]) {
        let claims = observations.map(\.witness)
        let subject = "transaction:" + original
        let windows = claims.map { first in
            claims.filter { (0...90 * 86_400).contains($0.presentedAt.seconds - first.presentedAt.seconds) }
        }
        if let most = windows.map(devices).max(), most > 5 {
            let isMismatched = claims.allSatisfy { $0.facts.deviceHash == .mismatch }
            add(.sharedTransaction, most > 10 || isMismatched ? .high : .medium, subject, claims)
        }
        // What a member presents is about the member.
        let bought = observations.filter { !$0.isMember }.map(\.witness)
        if accounts(bought) > 1 { add(.sharedAccount, accounts(bought) > 6 ? .high : .medium, subject, bought) }
        checkHiding(subject, observations)
    }

    /// A refund, and claims after it whose proofs were made before it and show no refund. Tokens are compared with each
    /// other by transaction, and all else by period.
    private mutating func checkHiding(_ subject: String, _ observations: [Observation]) {
        let (tokens, receipts) = (observations.filter(\.isToken), observations.filter { !$0.isToken })
        var found: [(claims: [Observation], isKnown: Bool)] = []
        for tokens in Dictionary(grouping: tokens, by: \.purchase.transactionID).values {
            let proofs = tokens + receipts.filter { $0.period == tokens.first?.period }
            found += [hiding(tokens, tokens, among: proofs)].compactMap(\.self)
        }
        for proofs in Dictionary(grouping: observations, by: \.period).values {
            let receipts = proofs.filter { !$0.isToken }
            found += [
                hiding(proofs, receipts, among: proofs), hiding(receipts, proofs.filter(\.isToken), among: proofs),
            ].compactMap(\.self)
        }
        guard !found.isEmpty else { return }
        let isKnown = found.contains(where: \.isKnown)
        add(.hiddenRefund, isKnown ? .high : .medium, subject, found.flatMap(\.claims).map(\.witness))
    }

    /// The claims that show a refund, and those that hide it.
    ///
    /// - Parameter proofs: all proofs of the purchase. If one was made after the refund and shows the purchase whole,
    ///   the refund was reversed.
    private func hiding(
        _ showing: [Observation], _ hiding: [Observation], among proofs: [Observation]
    ) -> (claims: [Observation], isKnown: Bool)? {
        let showing = showing.filter(\.isRefund)
        guard let refund = showing.compactMap(\.purchase.cancellationDate).max() else { return nil }
        func made(_ witness: Witness) -> Instant { witness.facts.createdAt ?? SampleExport.asOf }
        let whole = proofs.filter { $0.purchase.cancellationDate == nil }
        guard whole.allSatisfy({ made($0.witness) < refund }) else { return nil }
        let hidden = hiding.filter { $0.purchase.cancellationDate == nil && $0.witness.presentedAt > refund }
        guard !hidden.isEmpty else { return nil }
        let isKnown = hidden.contains { hidden in
            showing.contains { shown in
                // At midnight: some time on that day.
                let isDay = shown.witness.presentedAt.milliseconds % 86_400_000 == 0
                let latest = shown.witness.presentedAt.adding(seconds: isDay ? 86_399 : 0)
                return shown.witness.isMatching && hidden.witness.isMatching
                    && shown.witness.device == hidden.witness.device && latest < hidden.witness.presentedAt
            }
        }
        return (showing + hidden, isKnown)
    }

    /// Whether a guest may have logged in: all claims match one device, and the earlier of two accounts stops.
    private func isLogin(_ claims: [Witness]) -> Bool {
        let sides = Dictionary(grouping: claims, by: \.account).values
            .map { $0.map(\.presentedAt).sorted() }.sorted { ($0.first ?? .utc(1970)) < ($1.first ?? .utc(1970)) }
        guard devices(claims) == 1, claims.allSatisfy({ $0.isMatching && $0.account != "" }), sides.count == 2,
            let ended = sides[0].last, let began = sides[1].first
        else { return false }
        return ended < began
    }

    private mutating func check(transaction observations: [Observation]) {
        let claims = observations.map(\.witness)
        let subject = "transaction:" + (observations.map(\.original).min() ?? "")
        if observations.contains(where: { $0.purchase.kind == .consumable }),
            devices(claims) > 1 || accounts(claims) > 1
        {
            let asking = observations.filter { $0.witness.claim.row.productID == $0.purchase.productID.text }
                .map(\.witness)
            let isMany = accounts(asking) > 2 || accounts(claims) == 0 && devices(asking) > 3
            let isHigh = accounts(asking) == 2 && !isLogin(claims)
            add(.replayedConsumable, isMany ? .critical : isHigh ? .high : .medium, subject, claims)
        }
        let tales = observations.map {
            [$0.purchase.productID.text, $0.purchase.purchaseDate.description, $0.original]
        }
        if Set(tales).count > 1 { add(.transactionConflict, .critical, subject, claims) }
    }

    private mutating func checkRefunds(_ subject: String, _ observations: [Observation]) {
        let refunds = observations.filter(\.isRefund)
        let days = Set(refunds.compactMap { $0.purchase.cancellationDate.map { $0.seconds / 86_400 } })
        if Set(refunds.map(\.period)).count >= 3, days.count >= 3 {
            add(.repeatRefunds, .medium, subject, refunds.map(\.witness))
        }
    }

    private mutating func checkTrials(_ subject: String, _ observations: [Observation]) {
        let trials = observations.filter { $0.purchase.isTrialPeriod || $0.purchase.isInIntroOfferPeriod }
        // All subscriptions of an app are in one group.
        for trials in Dictionary(grouping: trials, by: { $0.witness.facts.bundleID ?? "" }).values {
            guard Set(trials.map(\.identity)).count > 1 else { continue }
            let isOne = Dictionary(grouping: trials, by: \.original).values.contains {
                Set($0.map(\.identity)).count > 1
            }
            add(.trialAbuse, isOne ? .high : .medium, subject, trials.map(\.witness))
        }
    }
}
