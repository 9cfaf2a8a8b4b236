import Encodings

/// Thieves who know the rules.
extension PlantedCluster {
    mutating func compose(_ tactic: Tactic) {
        switch tactic {
        case .familyShield: composeFamilyShield()
        case .seatsShield: composeSeatsShield()
        case .memberTokens: composeMemberTokens()
        case .placeholderNames: composePlaceholderNames()
        case .earlyThieves: composeEarlyThieves()
        case .ownersDevice: composeOwnersDevice()
        case .framedHandOver: composeFramedHandOver()
        }
    }

    private mutating func composeFamilyShield() {
        let year = SampleApp.notes.subscriptions[1]
        let first = add(.notes) { draft in
            [
                draft.subscribed(to: year, daysBefore: 2).with {
                    $0.originalTransactionID = draft.transactionID(1)
                    $0.originallyPurchasedAt = $0.purchasedAt.adding(seconds: -Int64(2 * 365 * PurchaseHistory.day))
                }
            ]
        }
        let receipt = members[first].draft.receipt
        for number in 1..<7 { present(receipt, daysLater: 24 * number) }
        dropDevices()
        let thieves = all
        for number in 1...2 {
            let before = -Int64((3 - number) * year.days * PurchaseHistory.day)
            let renewal = receipt.purchases[0].with {
                $0.transactionID = members[first].draft.transactionID(number)
                $0.purchasedAt = $0.purchasedAt.adding(seconds: before)
                $0.expiresAt = $0.purchasedAt.adding(seconds: Int64(year.days * PurchaseHistory.day))
                $0.webOrderLineItemID += number
            }
            addCopy(
                of: TransactionContent(renewal, bundleID: receipt.bundleID, signedAt: renewal.purchasedAt).with {
                    $0.ownership = "FAMILY_SHARED"
                }, day: 30 + number, account: account(number), asks: false)
        }
        expect(plant, .transaction(receipt.purchases[0].originalTransactionID), of: thieves, severity: .high)
    }

    private mutating func composeSeatsShield() {
        let (app, draft) = (
            SampleApp.notes, ClaimDraft(plainAt: indices.first ?? 0, seed: seed, app: .notes, createdAt: start)
        )
        var year = TransactionContent(
            draft.subscribed(to: app.subscriptions[1], daysBefore: 2), bundleID: app.bundleID, signedAt: start)
        year.sell(in: owner(0).storefront, app.subscriptions[1])
        let original = year.transactionID
        for number in 0..<7 { addCopy(of: year, day: 24 * number) }
        year.transactionID = draft.transactionID(1)
        year.webOrderLineItemID = year.webOrderLineItemID.map { $0 + "1" }
        let bought = year.purchasedAt.adding(seconds: -Int64(30 * PurchaseHistory.day))
        (year.purchasedAt, year.originallyPurchasedAt, year.signedAt) = (bought, bought, year.purchasedAt)
        year.expiresAt = bought.adding(seconds: Int64(7 * PurchaseHistory.day))
        year.revokedAt = bought.adding(seconds: 86_400)
        year.revocationType = "REFUND_FULL"
        year.sell(SeatContent([SeatContent.Tier(price: 10, quantity: 50)]))
        let shield = addCopy(of: year, day: 3, account: account(0), asks: false)
        expect(plant, .transaction(original), of: all, severity: .high)
        expect(.refundedPurchase, of: [shield], severity: .info)
    }

    private mutating func composeMemberTokens() {
        let app = self.app
        let first = add(app) { [$0.bought(app.unlock, daysBefore: 2)] }
        let purchase = members[first].draft.receipt.purchases[0]
        let second = add(app, day: 1) { _ in [purchase] }
        var token = TransactionContent(purchase, bundleID: app.bundleID, signedAt: day(3))
        token.ownership = "FAMILY_SHARED"
        let member = addCopy(of: token, day: 3)
        let later = Int((ClaimDraft.firstAppTransactionID.seconds - start.seconds) / 86_400) + 9
        token.signedAt = day(later)
        token.appTransactionID = owner(member).appTransactionID
        addCopy(of: token, day: later, account: account(member))
        expect(plant, .transaction(purchase.originalTransactionID), of: [first, second])
    }

    private mutating func composePlaceholderNames() {
        let first = add(app) { [$0.bought($0.app.unlock, daysBefore: 2)] }
        let receipt = members[first].draft.receipt
        for number in 1..<7 { present(receipt, daysLater: 24 * number) }
        dropDevices()
        for member in all { members[member].draft.row.accountID = "\(member + 1).\(indices.first ?? 0)E+10" }
        expect(plant, .transaction(receipt.purchases[0].originalTransactionID), of: all, severity: .high)
    }

    private mutating func composeEarlyThieves() {
        let app = self.app
        let owned = [0, 1].map { number in add(app) { [$0.bought(app.unlock, number, daysBefore: 2)] } }
        let device = device(owned[0]).otherOfItsKind(&random)
        var thief = 0
        for owner in owned {
            members[owner].device = device
            members[owner].draft.row.deviceID = device.text
            members[owner].draft.row.accountID = account(owned[0])
            members[owner].draft.row.presentedAt = day(20)
            let receipt = members[owner].draft.receipt
            let early = present(receipt, account: owner == owned[0] ? nil : account(thief), daysLater: 1)
            if owner == owned[0] { thief = early } else { copyDevice(of: thief, to: early) }
            let copies = [early, present(receipt, daysLater: 5)]
            let original = receipt.purchases[0].originalTransactionID
            expect(.sharedReceipt, .receipt, of: [owner] + copies)
            expect(.sharedAccount, .transaction(original), of: [owner] + copies)
        }
        expectEach(.deviceMismatch, of: all)
        // Nobody is named, as nothing matches.
        let smallest = owned.sorted { hash($0).lexicographicallyPrecedes(hash($1)) }
        expect(plant, .receipt, of: smallest + all.filter { !owned.contains($0) })
        victims = owned
    }

    private mutating func composeOwnersDevice() {
        let app = self.app
        let owner = add(app) { [$0.bought(app.unlock, daysBefore: 2)] }
        let purchase = members[owner].draft.receipt.purchases[0]
        let cancelled = day(5)
        let refund = add(app, day: 20, device: device(owner)) { _ in [purchase.with { $0.cancelledAt = cancelled }] }
        let copy = present(members[owner].draft.receipt, account: account(refund), daysLater: 30)
        copyDevice(of: owner, to: copy)
        let subject = PlantedFinding.Subject.transaction(purchase.originalTransactionID)
        expect(plant, subject, of: [refund, copy], severity: .high)
        expect(.sharedAccount, subject, of: all)
        expect(.snapshotRollback, .device, of: [refund, copy])
        expect(.refundedPurchase, of: [refund])
        victims = [owner]
    }

    private mutating func composeFramedHandOver() {
        let app = self.app
        let owner = add(app) { [$0.bought(app.unlock, daysBefore: 2)] }
        let receipt = members[owner].draft.receipt
        for day in [9, 19, 20] { present(receipt, daysLater: day) }
        expect(plant, .receipt, of: all)
        expect(.sharedAccount, .transaction(receipt.purchases[0].originalTransactionID), of: all)
        expectEach(.deviceMismatch, of: Array(all.dropFirst()))
        victims = [0, 1]
    }

    /// Adds a claim of a token that is bound to no device.
    @discardableResult private mutating func addCopy(
        of token: TransactionContent, day: Int, account: String? = nil, asks: Bool = true
    ) -> Int {
        let app = SampleApp.catalogue.first { $0.bundleID == token.bundleID } ?? app
        let member = addToken(app, day: day, of: owner(members.count), account: account) { _, _ in
            .transaction(token)
        }
        members[member].draft.row.accountToken = ""
        members[member].device = vendorID(member)
        if !asks { members[member].draft.row.productID = "" }
        return member
    }

    private func hash(_ member: Int) -> [UInt8] { SampleDigest.sha256.hash(members[member].draft.receipt.der) }

    private mutating func dropDevices() {
        for member in all {
            members[member].isWithoutDevice = true
            members[member].draft.row.deviceID = ""
        }
    }

    private mutating func copyDevice(of member: Int, to copy: Int) {
        members[copy].device = members[member].device
        members[copy].draft.row.deviceID = members[member].draft.row.deviceID
    }
}
