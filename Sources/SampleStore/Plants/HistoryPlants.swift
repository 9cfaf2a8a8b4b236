import Encodings

/// Frauds that show in two receipts of different dates.
extension Plant {
    /// Two receipts that disagree on one transaction: on its product, its date or its original.
    func composeTransactionConflict(_ cluster: inout PlantedCluster) {
        let first = cluster.add(.notes) { [$0.subscribed(to: $0.app.subscriptions[0], daysBefore: 2)] }
        let purchase = cluster.members[first].draft.receipt.purchases[0]
        let own = cluster.members[first].draft.transactionID(1)
        let turn = cluster.turn
        cluster.add(.notes, day: 1, account: cluster.account(first)) { draft in
            [
                purchase.with {
                    switch turn % 3 {
                    case 0: $0.productID = draft.app.subscriptions[1].id
                    case 1: $0.purchasedAt = $0.purchasedAt.adding(seconds: 86_400)
                    default: $0.originalTransactionID = own
                    }
                }
            ]
        }
        // The receipts disagree on the original: the smallest is meant, which is the first.
        cluster.expect(self, .transaction(purchase.originalTransactionID), of: cluster.all)
    }

    /// A refund, and an older receipt without it that was sent in afterwards: by the same device, or by another.
    func composeHiddenRefund(_ cluster: inout PlantedCluster) {
        let app = cluster.app
        let older = cluster.add(app) { [$0.bought(app.unlock, daysBefore: 2)] }
        let purchase = cluster.members[older].draft.receipt.purchases[0]
        let cancelled = cluster.day(5)
        let newer = cluster.add(
            app, day: 20, device: cluster.turn % 2 == 0 ? cluster.device(older) : nil,
            account: cluster.account(older)
        ) { _ in [purchase.with { $0.cancelledAt = cancelled }] }
        // After the refund, but before the newer receipt: else it would be a rollback too.
        cluster.members[older].draft.row.presentedAt = cluster.day(9)
        cluster.expect(self, .transaction(purchase.originalTransactionID), of: cluster.all)
        cluster.expect(.refundedPurchase, of: [newer])
    }

    /// A newer receipt, and then an older one of the same device and app.
    func composeSnapshotRollback(_ cluster: inout PlantedCluster) {
        let app = cluster.app
        let older = cluster.add(app) { [$0.bought(app.unlock, daysBefore: 2)] }
        let purchases = cluster.members[older].draft.receipt.purchases
        cluster.add(app, day: 30, device: cluster.device(older), account: cluster.account(older)) { _ in purchases }
        cluster.members[older].draft.row.presentedAt = cluster.day(40)
        cluster.expect(self, .device, of: cluster.all)
    }

    /// Three refunds of one account on two devices, or of one device without an account.
    func composeRepeatRefunds(_ cluster: inout PlantedCluster) {
        let first = cluster.add(.kingdoms) { Self.refunds(2, $0) }
        let hasAccount = cluster.turn % 2 == 0
        cluster.add(
            .kingdoms, day: 30, device: hasAccount ? nil : cluster.device(first), account: cluster.account(first)
        ) { Self.refunds(1, $0) }
        if !hasAccount {
            for member in cluster.all { cluster.members[member].draft.row.accountID = "" }
        }
        cluster.expect(self, hasAccount ? .account : .device, of: cluster.all)
        cluster.expectEach(.refundedPurchase, of: cluster.all)
    }

    private static func refunds(_ count: Int, _ draft: ClaimDraft) -> [PurchaseContent] {
        (0..<count).map { number in
            draft.bought(draft.app.unlock, number, daysBefore: 9 - number).with {
                $0.cancelledAt = $0.purchasedAt.adding(seconds: 86_400)
            }
        }
    }

    /// Two trials in one group: of a device and its account, of an account alone (within one original
    /// transaction), or of a device alone.
    func composeTrialAbuse(_ cluster: inout PlantedCluster) {
        let variant = cluster.turn % 3
        let first = cluster.add(.notes) { [$0.subscribed(to: $0.app.subscriptions[0], daysBefore: 2).asTrial] }
        let original = cluster.members[first].draft.receipt.purchases[0]
        cluster.add(
            .notes, day: 60, device: variant == 1 ? nil : cluster.device(first), account: cluster.account(first)
        ) { draft in
            let second = draft.subscribed(to: draft.app.subscriptions[1], daysBefore: 2)
            guard variant == 1 else { return [variant == 0 ? second.asTrial : second.with { $0.isIntroOffer = true }] }
            return [
                second.asTrial.with {
                    $0.originalTransactionID = original.originalTransactionID
                    $0.originallyPurchasedAt = original.originallyPurchasedAt
                }
            ]
        }
        if variant == 2 {
            for member in cluster.all { cluster.members[member].draft.row.accountID = "" }
        }
        let severity = variant == 1 ? ExpectedFinding.Severity.high : nil
        if variant != 1 { cluster.expect(self, .device, of: cluster.all, severity: severity) }
        if variant != 2 { cluster.expect(self, .account, of: cluster.all, severity: severity) }
    }
}

extension PurchaseContent {
    /// The same as a free week.
    fileprivate var asTrial: PurchaseContent {
        with {
            $0.isTrial = true
            $0.expiresAt = $0.purchasedAt.adding(seconds: 7 * 86_400)
        }
    }
}
