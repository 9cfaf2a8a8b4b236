import Encodings

/// Receipts and purchases that several devices or accounts present.
extension PlantedCluster {
    /// One receipt, which matches the first device: on two devices in two accounts, alternating for eight weeks; on
    /// four devices of one account; or handed over to a second device of the account, as by a restored backup.
    mutating func composeSharedReceipt() {
        let app = self.app
        let first = add(app) { [$0.bought(app.unlock, daysBefore: 2)] }
        let receipt = members[first].draft.receipt
        switch turn % 3 {
        case 0:
            let other = present(receipt, daysLater: 10)
            again(first, daysLater: 45)
            let last = again(other, daysLater: 56)
            expect(.sharedAccount, .transaction(receipt.purchases[0].originalTransactionID), of: all)
            expectEach(.deviceMismatch, of: [other, last])
        default:
            for number in 1..<plant.claims(turn: turn) {
                present(receipt, account: account(first), daysLater: number)
            }
            expectEach(.deviceMismatch, of: Array(all.dropFirst()))
        }
        expect(plant, .receipt, of: all, severity: turn % 3 == 2 ? .medium : nil)
    }

    /// One purchase on many devices of one account, restored on each. In every third turn no device matches the
    /// receipt.
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
            severity: count > 10 || turn % 3 == 2 ? .high : .medium)
    }

    /// Three or seven accounts with one purchase over months: each restores it on a separate device; or they present a
    /// copy of one receipt with the id of its device; or copies of a paid app's receipt without any device.
    mutating func composeSharedAccount() {
        switch turn % 3 {
        case 0: composeRestoringAccounts()
        case 1: composeMatchingCopies()
        default: composePaidApp()
        }
    }

    private mutating func composeMatchingCopies() {
        let first = add(app) { [$0.bought($0.app.unlock, daysBefore: 2)] }
        let receipt = members[first].draft.receipt
        for number in 1..<plant.claims(turn: turn) {
            let member = present(receipt, daysLater: 24 * number)
            members[member].device = members[first].device
            members[member].draft.row.deviceID = members[first].draft.row.deviceID
        }
        let purchase = receipt.purchases[0]
        let isMany = all.count > 6
        expect(plant, .transaction(purchase.originalTransactionID), of: all, severity: isMany ? .high : nil)
        if isMany { expect(.crowdedDevice, .device, of: all) }
    }

    private mutating func composePaidApp() {
        let first = add(app)
        for number in 1..<plant.claims(turn: turn) {
            present(members[first].draft.receipt, daysLater: 24 * number)
        }
        for member in all {
            members[member].isWithoutDevice = true
            members[member].draft.row.deviceID = ""
        }
        expect(plant, .receipt, of: all, severity: all.count > 6 ? .high : nil)
    }

    private mutating func composeRestoringAccounts() {
        let app = self.app
        let count = plant.claims(turn: turn)
        let first = add(app) { [$0.bought(app.unlock, daysBefore: 2)] }
        let purchase = members[first].draft.receipt.purchases[0]
        for number in 1..<count {
            add(app, day: 24 * number) { [$0.restored(purchase)] }
        }
        expect(plant, .transaction(purchase.originalTransactionID), of: all, severity: count > 6 ? .high : nil)
    }

    /// A consumable, claimed by three accounts; by two accounts of one device; or on two devices of one account.
    mutating func composeReplayedConsumable() {
        let first = add(.kingdoms) { [$0.bought($0.app.unlock, daysBefore: 2)] }
        let purchase = members[first].draft.receipt.purchases[0]
        let variant = turn % 3
        for number in 1..<plant.claims(turn: turn) {
            add(
                .kingdoms, day: number, device: variant == 1 ? device(first) : nil,
                account: variant == 2 ? account(first) : nil
            ) { _ in [purchase] }
        }
        let subject = PlantedFinding.Subject.transaction(purchase.originalTransactionID)
        // The earlier of two accounts of one device may be a guest who logged in.
        expect(plant, subject, of: all, severity: variant == 0 ? .critical : .medium)
        if variant != 2 { expect(.sharedAccount, subject, of: all) }
    }

    /// One receipt in three claims that name no account, and no device or three unreadable ones.
    mutating func composeUnattributedReplay() {
        let app = self.app
        let first = add(app) { [$0.bought(app.unlock, daysBefore: 2)] }
        for number in 1..<plant.claims(turn: turn) {
            present(members[first].draft.receipt, daysLater: number)
        }
        let isMalformed = turn % 2 == 1
        for member in all {
            members[member].isWithoutDevice = true
            members[member].draft.row.accountID = ""
            members[member].draft.row.deviceID = isMalformed ? "unknown-\(member)" : ""
        }
        expect(plant, .receipt, of: all, severity: isMalformed ? .high : .low)
    }

    /// One Apple Account's app on eleven devices of as many accounts within ten weeks, each with a separate receipt.
    mutating func composeLentApp() {
        let app = self.app
        let first = add(app)
        for number in 1..<plant.claims(turn: turn) {
            let member = add(app, day: 7 * number)
            members[member].draft.receipt.originallyPurchasedAt = members[first].draft.receipt.originallyPurchasedAt
        }
        expect(plant, .app, of: all)
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

/// Accounts and devices that several findings connect.
extension PlantedCluster {
    /// Presents a receipt again, on the same device and in the same account.
    @discardableResult mutating func again(_ member: Int, daysLater days: Int) -> Int {
        let made = members[member]
        let next = present(made.draft.receipt, account: account(member), daysLater: days)
        members[next].device = made.device
        members[next].draft.row.deviceID = made.draft.row.deviceID
        return next
    }

    /// Presents a receipt on the device and in the account of another claim.
    private mutating func copy(_ receipt: ReceiptContent, to member: Int, daysLater days: Int) -> Int {
        let copy = present(receipt, account: account(member), daysLater: days)
        members[copy].device = members[member].device
        members[copy].draft.row.deviceID = members[member].draft.row.deviceID
        return copy
    }

    mutating func composeFraudRing() {
        if turn % 2 == 0 { composeCopiesRing() } else { composeRentedRing() }
    }

    /// Two members present the receipts of two owners.
    private mutating func composeCopiesRing() {
        let app = self.app
        let one = add(app) { [$0.bought(app.unlock, daysBefore: 2)] }
        let other = add(app, day: 2) { [$0.bought(app.unlock, daysBefore: 2)] }
        var copies: [Int: [Int]] = [one: [], other: []]
        var buyers: [Int] = []
        for number in 0..<2 {
            let buyer = present(members[one].draft.receipt, daysLater: 3 + number)
            buyers.append(buyer)
            copies[one, default: []].append(buyer)
            copies[other, default: []].append(copy(members[other].draft.receipt, to: buyer, daysLater: 30 + number))
        }
        for owner in [one, other] {
            let claims = [owner] + (copies[owner] ?? [])
            let original = members[owner].draft.receipt.purchases[0].originalTransactionID
            expect(.sharedReceipt, .receipt, of: claims)
            expect(.sharedAccount, .transaction(original), of: claims)
            expectEach(.deviceMismatch, of: Array(claims.dropFirst()))
        }
        // The first who presents copies could be an owner with another phone: it is named after the second.
        buyers.reverse()
        expect(plant, .account, of: buyers + all.filter { !buyers.contains($0) })
    }

    /// One and two disagree on a subscription; two, three and four claim one consumable, each in another account.
    private mutating func composeRentedRing() {
        let app = SampleApp.kingdoms
        let one = add(app) { [$0.subscribed(to: app.subscriptions[0], daysBefore: 2)] }
        let disputed = members[one].draft.receipt.purchases[0]
        let two = add(app, day: 2) { draft in
            [
                disputed.with { $0.purchasedAt = $0.purchasedAt.adding(seconds: 86_400) },
                draft.bought(app.unlock, daysBefore: 1),
            ]
        }
        let shared = members[two].draft.receipt.purchases[1]
        let buyers = [two] + (3...4).map { day in add(app, day: day) { _ in [shared] } }
        expect(.transactionConflict, .transaction(disputed.originalTransactionID), of: [one, two])
        expect(.sharedAccount, .transaction(disputed.originalTransactionID), of: [one, two])
        expect(.replayedConsumable, .transaction(shared.originalTransactionID), of: buyers, severity: .critical)
        expect(.sharedAccount, .transaction(shared.originalTransactionID), of: buyers)
        let subjects = [disputed.originalTransactionID, shared.originalTransactionID]
        let smallest = subjects.min { $0.utf8.lexicographicallyPrecedes($1.utf8) } ?? ""
        expect(plant, .transaction(smallest), of: all)
    }
}
