/// Receipts and purchases that several devices or accounts present.
extension PlantedCluster {
    /// One receipt on two or three devices of one account: it fits the first.
    mutating func composeSharedReceipt() {
        let app = self.app
        let first = add(app) { [$0.bought(app.unlock, daysBefore: 2)] }
        for number in 1..<plant.claims(turn: turn) {
            present(members[first].draft.receipt, account: account(first), daysLater: number)
        }
        expect(plant, .receipt, of: all)
        expectEach(.deviceMismatch, of: Array(all.dropFirst()))
    }

    /// One purchase on many devices of one account, restored on each. In every third turn no device is the receipt's.
    mutating func composeSharedTransaction() {
        let app = self.app
        let first = add(app) { [$0.bought(app.unlock, daysBefore: 2)] }
        let purchase = members[first].draft.receipt.purchases[0]
        let account = account(first)
        let count = plant.claims(turn: turn)
        for number in 1..<count {
            add(app, day: number, account: account) { [$0.restored(purchase)] }
        }
        if turn % 3 == 2 {
            for member in all {
                let other = device(member).otherOfItsKind(&random)
                members[member].draft.receipt.device = other
            }
            expectEach(.deviceMismatch, of: all)
        }
        expect(
            plant, .transaction(purchase.originalTransactionID), of: all,
            severity: count > 10 ? .high : .medium)
    }

    /// One purchase, restored by two or three accounts, each on a device of its own.
    mutating func composeSharedAccount() {
        let app = self.app
        let first = add(app) { [$0.bought(app.unlock, daysBefore: 2)] }
        let purchase = members[first].draft.receipt.purchases[0]
        for number in 1..<plant.claims(turn: turn) {
            add(app, day: number) { [$0.restored(purchase)] }
        }
        expect(plant, .transaction(purchase.originalTransactionID), of: all)
    }

    /// A consumable on two devices; or on one device in two accounts, which then also share its transaction.
    mutating func composeReplayedConsumable() {
        let first = add(.kingdoms) { [$0.bought($0.app.unlock, daysBefore: 2)] }
        let purchase = members[first].draft.receipt.purchases[0]
        let isOnOneDevice = turn % 2 == 1
        add(
            .kingdoms, day: 1, device: isOnOneDevice ? device(first) : nil,
            account: isOnOneDevice ? nil : account(first)
        ) { _ in [purchase] }
        let subject = PlantedFinding.Subject.transaction(purchase.originalTransactionID)
        expect(plant, subject, of: all)
        if isOnOneDevice { expect(.sharedAccount, subject, of: all) }
    }

    /// Six accounts on one device, whose id is written in two ways.
    mutating func composeCrowdedDevice() {
        let first = add(app)
        for number in 1..<plant.claims(turn: turn) {
            let member = add(app, day: number, device: device(first))
            guard number % 2 == 1 else { continue }
            let text = members[member].draft.row.deviceID
            members[member].draft.row.deviceID = app.isMac ? text.uppercased() : text.lowercased()
        }
        expect(plant, .device, of: all)
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
extension PlantedCluster {
    mutating func composeFraudRing() {
        if turn % 2 == 0 { composeSharedRing() } else { composeConflictRing() }
        let members = all.sorted { device($0).text < device($1).text }
        expect(plant, .device, of: members)
    }

    /// One and two share a receipt; two and three share a purchase, in two accounts.
    private mutating func composeSharedRing() {
        let app = self.app
        let one = add(app, day: -5)
        let two = present(
            members[one].draft.receipt, account: account(one), daysLater: 1)
        let buyer = add(app, day: 3, device: device(two), account: account(one)) {
            [$0.bought(app.unlock, daysBefore: 1)]
        }
        let purchase = members[buyer].draft.receipt.purchases[0]
        let three = add(app, day: 5) { [$0.restored(purchase)] }
        expect(.sharedReceipt, .receipt, of: [one, two])
        expect(.deviceMismatch, of: [two])
        expect(.sharedAccount, .transaction(purchase.originalTransactionID), of: [buyer, three])
    }

    /// One and two disagree on a transaction; two and three share another, in two accounts.
    private mutating func composeConflictRing() {
        let app = SampleApp.notes
        let one = add(app) { [$0.subscribed(to: app.subscriptions[0], daysBefore: 2)] }
        let disputed = members[one].draft.receipt.purchases[0]
        let two = add(app, day: 2, account: account(one)) { draft in
            [
                disputed.with { $0.productID = app.subscriptions[1].id },
                draft.bought(app.unlock, daysBefore: 1),
            ]
        }
        let shared = members[two].draft.receipt.purchases[1]
        let three = add(app, day: 4) { [$0.restored(shared)] }
        expect(.transactionConflict, .transaction(disputed.originalTransactionID), of: [one, two])
        expect(.sharedAccount, .transaction(shared.originalTransactionID), of: [two, three])
    }
}
