import Encodings

/// Single claims with receipts signed by the store.
extension PlantedCluster {
    mutating func composeGenuine() {
        let (plant, turn) = (plant, turn)
        let app = plant == .expiredSubscription ? SampleApp.notes : app
        add(app) { draft in
            plant == .expiredSubscription
                ? [draft.subscribed(to: draft.app.subscriptions[0], daysBefore: 130)]
                : [draft.bought(app.unlock, daysBefore: 3)]
        }
        expect(plant, of: [0], severity: plant == .refundedPurchase && turn % 2 == 1 ? .info : nil)
        switch plant {
        case .foreignApp:
            if turn % 2 == 0 {
                members[0].draft.row.bundleID = SampleApp.kingdoms.bundleID
            } else {
                members[0].draft.receipt.bundleID = "com.example.elsewhere"
            }
        case .deviceMismatch:
            members[0].draft.receipt.device = device(0).otherOfItsKind(&random)
        case .missingPurchase: members[0].draft.row.productID = app.subscriptions[0].id
        case .refundedPurchase:
            members[0].draft.receipt.purchases[0].cancelledAt = day(-1)
            // A claim that asks for nothing gets nothing.
            if turn % 2 == 1 { members[0].draft.row.productID = "" }
        case .unknownProduct:
            members[0].draft.receipt.purchases[0].productID += ".hidden"
            members[0].draft.row.productID += ".hidden"
        case .expiredReceipt:
            members[0].draft.receipt.environment = "ProductionVPP"
            members[0].draft.receipt.expiresAt = day(90)
        default: break
        }
    }

    /// Many consumables within minutes: in one receipt, or half of them in each of two receipts of one account.
    mutating func composePurchaseBurst() {
        guard turn % 3 == 2 else {
            let count = 21 + turn % 9
            add(.kingdoms) { Self.burst($0, count) }
            return expect(plant, of: [0])
        }
        let first = add(.kingdoms) { Self.burst($0, 11) }
        add(.kingdoms, account: account(first)) { Self.burst($0, 11) }
        expect(plant, .account, of: all)
    }

    /// Returns this number of consumables within nine minutes.
    private static func burst(_ draft: ClaimDraft, _ count: Int) -> [PurchaseContent] {
        (0..<count).map { number in
            draft.bought(draft.app.unlock, number, daysBefore: 1).with {
                $0.purchasedAt = $0.purchasedAt.adding(seconds: Int64(number * 540 / count))
                $0.originallyPurchasedAt = $0.purchasedAt
            }
        }
    }

    mutating func composeImpossibleDates() {
        let turn = self.turn
        add(app) { draft in
            [
                draft.subscribed(to: draft.app.subscriptions[0], daysBefore: 20).with { purchase in
                    let hour: Int64 = 3600
                    switch turn % 6 {
                    case 0:
                        purchase.purchasedAt = draft.receipt.createdAt.adding(seconds: hour)
                        purchase.originallyPurchasedAt = purchase.purchasedAt
                        purchase.expiresAt = purchase.purchasedAt.adding(seconds: 720 * hour)
                    case 1: purchase.expiresAt = purchase.purchasedAt.adding(seconds: -24 * hour)
                    case 2: purchase.cancelledAt = purchase.purchasedAt.adding(seconds: -hour)
                    case 3: purchase.originallyPurchasedAt = purchase.purchasedAt.adding(seconds: hour)
                    case 4: purchase.expiresAt = purchase.purchasedAt.adding(seconds: hour)
                    default: purchase.expiresAt = purchase.purchasedAt
                    }
                }
            ]
        }
        expect(plant, of: [0])
        if turn % 6 == 2 { expect(.refundedPurchase, of: [0]) }
    }
}

/// Single claims with containers that the store never makes.
extension PlantedCluster {
    mutating func composeForged() {
        let (plant, turn) = (plant, turn)
        // A test receipt is genuine in every other turn; Xcode's have no purchases worth showing.
        add(app, day: plant == .obsoleteSignature ? dayAfterSHA1 : 0) { draft in
            plant == .testReceipt ? [] : [draft.bought(draft.app.unlock, daysBefore: 3)]
        }
        expect(plant, of: [0], severity: plant == .testReceipt && turn % 2 == 1 ? .critical : nil)
        switch plant {
        case .forgedSignature:
            let extra = members[0].draft.subscribed(to: app.subscriptions[0], 1)
            members[0].draft.row.productID = extra.productID
            members[0].form = .altered(members[0].draft.receipt.with { $0.purchases.append(extra) })
        case .untrustedSigner:
            members[0].form = [.developer, .rogue, .expired, .signerless][turn % 4]
        case .alteredContainer:
            let ways: [ContainerVariant] = [
                .indefiniteLengths, .unsignedAttributes, .certificateTwice, .leftOverBehind,
            ]
            members[0].form = .rewrapped(ways[turn % ways.count])
        case .crackerReceipt:
            let cracker = CrackedReceipt.allCases[turn % CrackedReceipt.allCases.count]
            let draft = members[0].draft
            members[0].form = .bytes(cracker.bytes(for: draft, &random))
        case .testReceipt:
            if turn % 2 == 0 {
                members[0].draft.receipt.environment = "ProductionVPPSandbox"
            } else {
                members[0].form = .xcode
                expect(.untrustedSigner, of: [0])
            }
        default: members[0].draft.digest = .sha1
        }
    }

    /// Returns a day of a cluster after the store's last SHA-1 signature and before the reference time.
    private var dayAfterSHA1: Int {
        let end = SampleExport.asOf.seconds - start.seconds
        return Int(end) / PurchaseHistory.day - 2 - Int(start.seconds % 400)
    }
}
