extension Plant {
    /// Drafts the claims of a cluster and notes what must be found in them.
    func compose(_ cluster: inout PlantedCluster) {
        switch self {
        case .forgedSignature, .untrustedSigner, .alteredContainer, .crackerReceipt, .testReceipt, .obsoleteSignature:
            composeForged(&cluster)
        case .foreignApp, .deviceMismatch, .missingPurchase, .refundedPurchase, .unknownProduct, .expiredReceipt,
            .purchaseBurst:
            composeGenuine(&cluster)
        case .impossibleDates: composeImpossibleDates(&cluster)
        case .sharedReceipt: composeSharedReceipt(&cluster)
        case .sharedTransaction: composeSharedTransaction(&cluster)
        case .sharedAccount: composeSharedAccount(&cluster)
        case .replayedConsumable: composeReplayedConsumable(&cluster)
        case .transactionConflict: composeTransactionConflict(&cluster)
        case .hiddenRefund: composeHiddenRefund(&cluster)
        case .snapshotRollback: composeSnapshotRollback(&cluster)
        case .repeatRefunds: composeRepeatRefunds(&cluster)
        case .trialAbuse: composeTrialAbuse(&cluster)
        case .crowdedDevice: composeCrowdedDevice(&cluster)
        case .fraudRing: composeFraudRing(&cluster)
        }
    }
}
