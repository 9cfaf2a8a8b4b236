import Encodings

/// Claims whose container is not what the store makes.
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
