/// Receipts and purchases that several devices or accounts present.
extension Plant {
    /// One receipt on two or three devices of one account: it fits the first.
    func composeSharedReceipt(_ cluster: inout PlantedCluster) {
        let app = cluster.app
        let first = cluster.add(app) { [$0.bought(app.unlock, daysBefore: 2)] }
        for number in 1..<claims(turn: cluster.turn) {
            cluster.present(cluster.members[first].draft.receipt, account: cluster.account(first), daysLater: number)
        }
        cluster.expect(self, .receipt, of: cluster.all)
        cluster.expectEach(.deviceMismatch, of: Array(cluster.all.dropFirst()))
    }

    /// One purchase on many devices of one account, restored on each. In every third turn no device is the receipt's.
    func composeSharedTransaction(_ cluster: inout PlantedCluster) {
        let app = cluster.app
        let first = cluster.add(app) { [$0.bought(app.unlock, daysBefore: 2)] }
        let purchase = cluster.members[first].draft.receipt.purchases[0]
        let account = cluster.account(first)
        let count = claims(turn: cluster.turn)
        for number in 1..<count {
            cluster.add(app, day: number, account: account) { [$0.restored(purchase)] }
        }
        if cluster.turn % 3 == 2 {
            for member in cluster.all {
                let other = cluster.device(member).otherOfItsKind(&cluster.random)
                cluster.members[member].draft.receipt.device = other
            }
            cluster.expectEach(.deviceMismatch, of: cluster.all)
        }
        cluster.expect(
            self, .transaction(purchase.originalTransactionID), of: cluster.all,
            severity: count > 10 ? .high : .medium)
    }

    /// One purchase, restored by two or three accounts, each on a device of its own.
    func composeSharedAccount(_ cluster: inout PlantedCluster) {
        let app = cluster.app
        let first = cluster.add(app) { [$0.bought(app.unlock, daysBefore: 2)] }
        let purchase = cluster.members[first].draft.receipt.purchases[0]
        for number in 1..<claims(turn: cluster.turn) {
            cluster.add(app, day: number) { [$0.restored(purchase)] }
        }
        cluster.expect(self, .transaction(purchase.originalTransactionID), of: cluster.all)
    }

    /// A consumable on two devices; or on one device in two accounts, which then also share its transaction.
    func composeReplayedConsumable(_ cluster: inout PlantedCluster) {
        let first = cluster.add(.kingdoms) { [$0.bought($0.app.unlock, daysBefore: 2)] }
        let purchase = cluster.members[first].draft.receipt.purchases[0]
        let isOnOneDevice = cluster.turn % 2 == 1
        cluster.add(
            .kingdoms, day: 1, device: isOnOneDevice ? cluster.device(first) : nil,
            account: isOnOneDevice ? nil : cluster.account(first)
        ) { _ in [purchase] }
        let subject = PlantedFinding.Subject.transaction(purchase.originalTransactionID)
        cluster.expect(self, subject, of: cluster.all)
        if isOnOneDevice { cluster.expect(.sharedAccount, subject, of: cluster.all) }
    }

    /// Six accounts on one device, whose id is written in two ways.
    func composeCrowdedDevice(_ cluster: inout PlantedCluster) {
        let first = cluster.add(cluster.app)
        for number in 1..<claims(turn: cluster.turn) {
            let member = cluster.add(cluster.app, day: number, device: cluster.device(first))
            guard number % 2 == 1 else { continue }
            let text = cluster.members[member].draft.row.deviceID
            cluster.members[member].draft.row.deviceID = cluster.app.isMac ? text.uppercased() : text.lowercased()
        }
        cluster.expect(self, .device, of: cluster.all)
    }
}

extension PlantedCluster {
    /// Adds a claim of another device's receipt.
    @discardableResult mutating func present(
        _ receipt: ReceiptContent, account: String? = nil, daysLater days: Int
    ) -> Int {
        let app = SampleApp.catalogue.first { $0.bundleID == receipt.bundleID } ?? app
        let member = add(app, day: days, account: account) { _ in receipt.purchases }
        members[member].draft.receipt = receipt
        members[member].draft.row.appVersion = receipt.appVersion
        members[member].draft.digest = receipt.createdAt < .utc(2025, 1, 24) ? .sha1 : .sha256
        return member
    }
}

/// Devices that several findings connect.
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
