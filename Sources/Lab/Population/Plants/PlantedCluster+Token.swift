import Encodings

/// Frauds with StoreKit 2 tokens.
extension PlantedCluster {
    /// A token that another account bought: on a device that the seller's Apple Account is lent to, or copied from the
    /// seller's device; or the renewal info of the seller's subscription.
    mutating func composeAccountTokenMismatch() {
        let (app, variant) = (self.app, turn % 3)
        let presenter = owner(0)
        let seller = stranger.with { if variant != 1 { $0.device = presenter.device } }
        addToken(app, of: presenter) { draft, random in
            guard variant == 2 else {
                let purchase = draft.bought(app.unlock, daysBefore: 2)
                return .transaction(draft.transaction(purchase, of: seller, signedAt: draft.receipt.createdAt, &random))
            }
            let period = draft.subscribed(to: app.subscriptions[0], daysBefore: 2)
            let info = RenewalContent(
                originalTransactionID: period.transactionID, productID: period.productID,
                signedAt: draft.receipt.createdAt)
            return .renewal(
                info.with {
                    $0.renewsAt = period.expiresAt
                    $0.accountToken = seller.accountToken
                    $0.appTransactionID = seller.appTransactionID
                    $0.deviceVerification = seller.verification(&random)
                })
        }
        if variant == 1 {
            // None of the row's devices is the token's.
            members[0].device = members[0].draft.receipt.device
            expect(.deviceMismatch, of: [0])
        }
        expect(plant, of: [0])
    }

    /// Tokens with the nonce of the first device, each signed again: on two devices in two accounts, alternating for
    /// eight weeks; on four devices of one account; or handed over to a second device of the account.
    mutating func composeTokenReplay() {
        let (app, buyer) = (self.app, owner(0))
        let variant = turn % 3
        let verification = buyer.verification(&random)
        var purchase: PurchaseContent?
        let days = [[0, 10, 45, 56], [0, 3, 6, 9], [0, 5]][variant]
        for (number, day) in days.enumerated() {
            let isAgain = variant == 0 && number >= 2
            let account = variant == 0 ? (isAgain ? account(number - 2) : nil) : (number > 0 ? account(0) : nil)
            let member = addToken(
                app, day: day, of: owner(isAgain ? number - 2 : number), device: isAgain ? vendorID(number - 2) : nil,
                account: account
            ) { draft, random in
                let bought = purchase ?? draft.bought(app.unlock, daysBefore: 2)
                purchase = bought
                return .transaction(
                    draft.transaction(bought, of: buyer, signedAt: draft.receipt.createdAt, &random).with {
                        $0.accountToken = nil
                        $0.deviceVerification = verification
                    })
            }
            guard number > 0, !(variant == 0 && number == 2) else { continue }
            members[member].device = vendorID(member)
            expect(.deviceMismatch, of: [member])
        }
        let subject = PlantedFinding.Subject.transaction(purchase?.originalTransactionID ?? "")
        if variant == 0 { expect(.sharedAccount, subject, of: all) }
        expect(plant, subject, of: all, severity: variant == 2 ? .medium : nil)
    }

    /// One Apple Account on the devices of three accounts; or of four, which also use one of its purchases.
    mutating func composeSharedPerson() {
        let (app, seller, sells) = (self.app, owner(0), turn % 2 == 1)
        var purchase: PurchaseContent?
        for number in 0..<plant.claims(turn: turn) {
            let presenter = owner(number)
            let lent = seller.with { $0.device = presenter.device }
            addToken(app, day: 9 * number, of: presenter) { draft, random in
                let date = draft.receipt.createdAt
                guard sells else { return .appTransaction(draft.appTransaction(of: lent, createdAt: date, &random)) }
                let bought = purchase ?? draft.bought(app.unlock, daysBefore: 2)
                purchase = bought
                return .transaction(draft.transaction(bought, of: lent, signedAt: date, &random))
            }
            if sells, number > 0 { expect(.accountTokenMismatch, of: [number]) }
        }
        if let purchase { expect(.sharedAccount, .transaction(purchase.originalTransactionID), of: all) }
        expect(plant, .person, of: all)
    }

    /// One person buys where it is cheapest: in two or four countries within weeks, in every third turn without an
    /// `appTransactionId`.
    mutating func composeStorefrontHop() {
        let (app, buyer, isNamed) = (SampleApp.kingdoms, owner(0), turn % 3 != 2)
        let count = plant.claims(turn: turn)
        for number in 0..<count {
            addToken(
                app, day: 7 * number, of: buyer, device: number > 0 ? vendorID(0) : nil,
                account: number > 0 ? account(0) : nil
            ) { draft, random in
                let purchase = draft.bought(app.unlock)
                let token = draft.transaction(purchase, of: buyer, signedAt: draft.receipt.createdAt, &random)
                return .transaction(
                    token.with {
                        // From the cheapest country to the most expensive.
                        $0.sell(in: TokenOwner.Storefront.all[[3, 0, 4, 5][number % 4]], app.unlock)
                        if !isNamed { $0.appTransactionID = nil }
                    })
            }
        }
        expect(plant, isNamed ? .person : .account, of: all, severity: count > 3 ? .medium : nil)
    }

    /// A shared purchase on a second device of the family member, seven weeks after the sharing ended, with a token
    /// from before; or one purchase that seven people present.
    mutating func composeFamilyOverreach() {
        let app = self.app
        guard turn % 2 == 0 else { return composeLargeFamily() }
        let member = owner(0)
        var shared: PurchaseContent?
        let ended = day(9)
        for number in 0..<2 {
            let presenter = member.with { if number == 1 { $0.device = owner(1).device } }
            addToken(app, day: number == 0 ? 10 : 0, of: presenter, account: number > 0 ? account(0) : nil) {
                draft, random in
                let purchase = shared ?? draft.bought(app.unlock, daysBefore: 20)
                shared = purchase
                let token = draft.transaction(purchase, of: presenter, signedAt: draft.receipt.createdAt, &random)
                return .transaction(
                    token.with {
                        $0.ownership = "FAMILY_SHARED"
                        guard number == 0 else { return }
                        $0.revokedAt = ended
                        $0.revocationType = "FAMILY_REVOKE"
                        $0.revocationReason = 0
                    })
            }
        }
        members[1].draft.row.presentedAt = day(58)
        expect(plant, .transaction(shared?.originalTransactionID ?? ""), of: [1])
    }

    private mutating func composeLargeFamily() {
        let app = self.app
        var purchase: PurchaseContent?
        for number in 0..<plant.claims(turn: turn) {
            let presenter = owner(number)
            addToken(app, day: 24 * number, of: presenter) { draft, random in
                let bought = purchase ?? draft.bought(app.unlock, daysBefore: 2)
                purchase = bought
                let token = draft.transaction(bought, of: presenter, signedAt: draft.receipt.createdAt, &random)
                return .transaction(token.with { $0.accountToken = nil })
            }
        }
        let subject = PlantedFinding.Subject.transaction(purchase?.originalTransactionID ?? "")
        expect(.sharedAccount, subject, of: all, severity: .high)
        expect(plant, subject, of: all)
    }
}

extension PlantedCluster {
    /// Adds a claim of a token that is made some days after the start, on the owner's device.
    @discardableResult mutating func addToken(
        _ app: SampleApp, day number: Int = 0, of owner: TokenOwner, device: SampleDevice? = nil,
        account: String? = nil, _ make: (ClaimDraft, inout SeededGenerator) -> SampleToken
    ) -> Int {
        let member = add(app, day: number, device: device, account: account)
        let token = make(members[member].draft, &random)
        members[member].draft.present(token, of: owner)
        members[member].draft.row.productID = token.purchase?.productID ?? ""
        members[member].device = owner.device
        return member
    }

    /// Returns the Apple Account and the device of one of the claims.
    func owner(_ number: Int) -> TokenOwner {
        TokenOwner(number < indices.count ? indices[number] : 0, seed: seed)
    }

    /// An Apple Account without claims of its own.
    private var stranger: TokenOwner { TokenOwner((indices.first ?? 0) + 1_000_000_000_000, seed: seed) }

    /// Returns the `identifierForVendor`, or the address, of a claim's device.
    func vendorID(_ member: Int) -> SampleDevice { members[member].draft.receipt.device }
}
