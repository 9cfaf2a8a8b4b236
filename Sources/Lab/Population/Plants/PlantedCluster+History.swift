import Encodings

/// Frauds that are visible in two receipts of different dates.
extension PlantedCluster {
    /// Two receipts that disagree on one transaction: on its product, its date or its original.
    mutating func composeTransactionConflict() {
        let first = add(.notes) { [$0.subscribed(to: $0.app.subscriptions[0], daysBefore: 2)] }
        let purchase = members[first].draft.receipt.purchases[0]
        let own = members[first].draft.transactionID(1)
        let turn = self.turn
        add(.notes, day: 1, account: account(first)) { draft in
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
        // The receipts disagree on the original transaction: the finding names the smallest, which is the first.
        expect(plant, .transaction(purchase.originalTransactionID), of: all)
    }

    /// A refund, and an older receipt without it that was sent afterwards: by a device that had shown the refund, which
    /// also rolls back, or by another one.
    mutating func composeHiddenRefund() {
        let app = self.app
        let older = add(app) { [$0.bought(app.unlock, daysBefore: 2)] }
        let purchase = members[older].draft.receipt.purchases[0]
        let cancelled = day(5)
        let isSame = turn % 2 == 0
        let newer = add(
            app, day: 20, device: isSame ? device(older) : nil, account: account(older)
        ) { _ in [purchase.with { $0.cancelledAt = cancelled }] }
        members[older].draft.row.presentedAt = day(isSame ? 30 : 9)
        expect(
            plant, .transaction(purchase.originalTransactionID), of: all, severity: isSame ? .high : .medium)
        if isSame { expect(.snapshotRollback, .device, of: all) }
        expect(.refundedPurchase, of: [newer])
    }

    /// A newer receipt, and then an older one for the same device and app.
    mutating func composeSnapshotRollback() {
        let app = self.app
        let older = add(app) { [$0.bought(app.unlock, daysBefore: 2)] }
        let purchases = members[older].draft.receipt.purchases
        add(app, day: 30, device: device(older), account: account(older)) { _ in purchases }
        members[older].draft.row.presentedAt = day(40)
        expect(plant, .device, of: all)
    }

    /// Three refunds of one account on two devices, or of one device without an account.
    mutating func composeRepeatRefunds() {
        let first = add(.kingdoms) { Self.refunds(2, $0) }
        let hasAccount = turn % 2 == 0
        add(
            .kingdoms, day: 30, device: hasAccount ? nil : device(first), account: account(first)
        ) { Self.refunds(1, $0) }
        if !hasAccount {
            for member in all { members[member].draft.row.accountID = "" }
        }
        expect(plant, hasAccount ? .account : .device, of: all)
        expectEach(.refundedPurchase, of: all)
    }

    private static func refunds(_ count: Int, _ draft: ClaimDraft) -> [PurchaseContent] {
        (0..<count).map { number in
            draft.bought(draft.app.unlock, number, daysBefore: 9 - number).with {
                $0.cancelledAt = $0.purchasedAt.adding(seconds: 86_400)
            }
        }
    }

    /// Two trials in one group: for a device and its account, for an account alone (within one original transaction),
    /// or for a device alone.
    mutating func composeTrialAbuse() {
        let variant = turn % 3
        let first = add(.notes) { [$0.subscribed(to: $0.app.subscriptions[0], daysBefore: 2).asTrial] }
        let original = members[first].draft.receipt.purchases[0]
        add(
            .notes, day: 60, device: variant == 1 ? nil : device(first), account: account(first)
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
            for member in all { members[member].draft.row.accountID = "" }
        }
        let severity = variant == 1 ? ExpectedFinding.Severity.high : nil
        if variant != 1 { expect(plant, .device, of: all, severity: severity) }
        if variant != 2 { expect(plant, .account, of: all, severity: severity) }
    }
}

extension PurchaseContent {
    /// The same purchase as a free week.
    fileprivate var asTrial: PurchaseContent {
        with {
            $0.isTrial = true
            $0.expiresAt = $0.purchasedAt.adding(seconds: 7 * 86_400)
        }
    }
}
