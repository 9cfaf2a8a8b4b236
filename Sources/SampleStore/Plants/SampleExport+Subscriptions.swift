extension SampleExport {
    /// All subscriptions that an audit of the export must find, in the order of a report: by original transaction.
    ///
    /// No subscription is in claims of two clusters, so they are told a cluster at a time.
    public func expectedSubscriptions() -> [ExpectedSubscription] {
        var subscriptions: [ExpectedSubscription] = []
        for number in 0..<layout.clusters {
            subscriptions += SubscriptionWitness.subscriptions(cluster(number).members.compactMap(\.witness))
        }
        for index in 0..<count where plantedMember(at: index) == nil {
            guard let witness = witnessByItself(at: index) else { continue }
            subscriptions += SubscriptionWitness.subscriptions([witness])
        }
        return subscriptions.sorted {
            $0.originalTransactionID.utf8.lexicographicallyPrecedes($1.originalTransactionID.utf8)
        }
    }

    /// What a claim that belongs to no cluster shows, if its receipt is to be believed.
    private func witnessByItself(at index: Int) -> SubscriptionWitness? {
        let genuine = ClaimDraft(index: index, seed: seed, asOf: Self.asOf)
        guard let forgery = forgery(at: index) else {
            let device = genuine.row.deviceID.isEmpty ? nil : genuine.receipt.device
            return SubscriptionWitness(receipt: genuine.receipt, device: device, account: genuine.row.accountID)
        }
        guard forgery.leavesEvidence else { return nil }
        // The row names the device of the draft, whatever device the receipt is then of.
        let device = forgery == .deviceIDMalformed ? nil : genuine.receipt.device
        let forged = forgery.draft(from: genuine, seed: seed)
        return SubscriptionWitness(receipt: forged.receipt, device: device, account: forged.row.accountID)
    }
}

extension PlantedMember {
    /// What the claim shows, if its receipt is to be believed.
    var witness: SubscriptionWitness? {
        switch form {
        case .genuine, .rewrapped:
            SubscriptionWitness(
                receipt: draft.receipt, device: draft.row.deviceID.isEmpty ? nil : device, account: draft.row.accountID)
        case .altered, .rogue, .expired, .developer, .signerless, .xcode, .bytes: nil
        }
    }
}
