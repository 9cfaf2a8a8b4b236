/// Devices that several findings join.
extension Plant {
    func composeFraudRing(_ cluster: inout PlantedCluster) {
        if cluster.turn % 2 == 0 { composeSharedRing(&cluster) } else { composeConflictRing(&cluster) }
        let members = cluster.all.sorted { cluster.device($0).text < cluster.device($1).text }
        cluster.expect(self, .device, of: members)
    }

    /// One and two share a receipt; two and three share a purchase, in two accounts.
    private func composeSharedRing(_ cluster: inout PlantedCluster) {
        let app = cluster.app
        let one = cluster.add(app, day: -5)
        let two = cluster.present(
            cluster.members[one].draft.receipt, account: cluster.account(one), daysLater: 1)
        let buyer = cluster.add(app, day: 3, device: cluster.device(two), account: cluster.account(one)) {
            [$0.bought(app.unlock, daysBefore: 1)]
        }
        let purchase = cluster.members[buyer].draft.receipt.purchases[0]
        let three = cluster.add(app, day: 5) { [$0.restored(purchase)] }
        cluster.expect(.sharedReceipt, .receipt, of: [one, two])
        cluster.expect(.deviceMismatch, of: [two])
        cluster.expect(.sharedAccount, .transaction(purchase.originalTransactionID), of: [buyer, three])
    }

    /// One and two disagree on a transaction; two and three share another, in two accounts.
    private func composeConflictRing(_ cluster: inout PlantedCluster) {
        let app = SampleApp.notes
        let one = cluster.add(app) { [$0.subscribed(to: app.subscriptions[0], daysBefore: 2)] }
        let disputed = cluster.members[one].draft.receipt.purchases[0]
        let two = cluster.add(app, day: 2, account: cluster.account(one)) { draft in
            [
                disputed.with { $0.productID = app.subscriptions[1].id },
                draft.bought(app.unlock, daysBefore: 1),
            ]
        }
        let shared = cluster.members[two].draft.receipt.purchases[1]
        let three = cluster.add(app, day: 4) { [$0.restored(shared)] }
        cluster.expect(.transactionConflict, .transaction(disputed.originalTransactionID), of: [one, two])
        cluster.expect(.sharedAccount, .transaction(shared.originalTransactionID), of: [two, three])
    }
}
