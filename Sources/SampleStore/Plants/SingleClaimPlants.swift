import Encodings

/// Single claims with receipts that the store signed.
extension Plant {
    func composeGenuine(_ cluster: inout PlantedCluster) {
        let turn = cluster.turn
        let app = self == .purchaseBurst ? SampleApp.kingdoms : cluster.app
        cluster.add(app) { draft in
            self == .purchaseBurst
                ? Self.burst(draft, 21 + turn % 9) : [draft.bought(app.unlock, daysBefore: 3)]
        }
        cluster.expect(self, of: [0])
        switch self {
        case .foreignApp:
            if turn % 2 == 0 {
                cluster.members[0].draft.row.bundleID = SampleApp.kingdoms.bundleID
            } else {
                cluster.members[0].draft.receipt.bundleID = "com.example.elsewhere"
            }
        case .deviceMismatch:
            cluster.members[0].draft.receipt.device = cluster.device(0).otherOfItsKind(&cluster.random)
        case .missingPurchase: cluster.members[0].draft.row.productID = app.subscriptions[0].id
        case .refundedPurchase:
            cluster.members[0].draft.receipt.purchases[0].cancelledAt = cluster.day(-1)
        case .unknownProduct:
            cluster.members[0].draft.receipt.purchases[0].productID += ".hidden"
            cluster.members[0].draft.row.productID += ".hidden"
        case .expiredReceipt:
            cluster.members[0].draft.receipt.environment = "ProductionVPP"
            cluster.members[0].draft.receipt.expiresAt = cluster.day(90)
        default: break
        }
    }

    /// This number of consumables within nine minutes.
    private static func burst(_ draft: ClaimDraft, _ count: Int) -> [PurchaseContent] {
        (0..<count).map { number in
            draft.bought(draft.app.unlock, number, daysBefore: 1).with {
                $0.purchasedAt = $0.purchasedAt.adding(seconds: Int64(number * 540 / count))
                $0.originallyPurchasedAt = $0.purchasedAt
            }
        }
    }

    func composeImpossibleDates(_ cluster: inout PlantedCluster) {
        let turn = cluster.turn
        cluster.add(cluster.app) { draft in
            [
                draft.subscribed(to: draft.app.subscriptions[0], daysBefore: 20).with { purchase in
                    let hour: Int64 = 3600
                    switch turn % 5 {
                    case 0:
                        purchase.purchasedAt = draft.receipt.createdAt.adding(seconds: hour)
                        purchase.originallyPurchasedAt = purchase.purchasedAt
                        purchase.expiresAt = purchase.purchasedAt.adding(seconds: 720 * hour)
                    case 1: purchase.expiresAt = purchase.purchasedAt.adding(seconds: -24 * hour)
                    case 2: purchase.cancelledAt = purchase.purchasedAt.adding(seconds: -hour)
                    case 3: purchase.originallyPurchasedAt = purchase.purchasedAt.adding(seconds: hour)
                    default: purchase.expiresAt = purchase.purchasedAt.adding(seconds: hour)
                    }
                }
            ]
        }
        cluster.expect(self, of: [0])
        if turn % 5 == 2 { cluster.expect(.refundedPurchase, of: [0]) }
    }
}

/// Single claims with containers that the store does not make.
extension Plant {
    func composeForged(_ cluster: inout PlantedCluster) {
        let turn = cluster.turn
        // A test receipt is genuine in every other turn; Xcode's have no purchases worth showing.
        cluster.add(cluster.app, day: self == .obsoleteSignature ? Self.daysAfterSHA1(cluster) : 0) { draft in
            self == .testReceipt ? [] : [draft.bought(draft.app.unlock, daysBefore: 3)]
        }
        cluster.expect(self, of: [0], severity: self == .testReceipt && turn % 2 == 1 ? .critical : nil)
        switch self {
        case .forgedSignature:
            let extra = cluster.members[0].draft.subscribed(to: cluster.app.subscriptions[0], 1)
            cluster.members[0].draft.row.productID = extra.productID
            cluster.members[0].form = .altered(cluster.members[0].draft.receipt.with { $0.purchases.append(extra) })
        case .untrustedSigner:
            cluster.members[0].form = [.developer, .rogue, .expired, .signerless][turn % 4]
        case .alteredContainer:
            let ways: [ContainerDeviation] = [
                .indefiniteLengths, .unsignedAttributes, .certificateTwice, .leftOverBehind,
            ]
            cluster.members[0].form = .rewrapped(ways[turn % ways.count])
        case .crackerReceipt:
            let cracker = CrackerReceipt.allCases[turn % CrackerReceipt.allCases.count]
            let draft = cluster.members[0].draft
            cluster.members[0].form = .bytes(cracker.bytes(for: draft, &cluster.random))
        case .testReceipt:
            if turn % 2 == 0 {
                cluster.members[0].draft.receipt.environment = "ProductionVPPSandbox"
            } else {
                cluster.members[0].form = .xcode
                cluster.expect(.untrustedSigner, of: [0])
            }
        default: cluster.members[0].draft.digest = .sha1
        }
    }

    /// A day of a cluster on which the store no longer signed with SHA-1, and not yet as-of.
    private static func daysAfterSHA1(_ cluster: PlantedCluster) -> Int {
        let end = SampleExport.asOf.seconds - cluster.start.seconds
        return Int(end) / PurchaseHistory.day - 2 - Int(cluster.start.seconds % 400)
    }
}
