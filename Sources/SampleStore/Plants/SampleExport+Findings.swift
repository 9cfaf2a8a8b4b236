extension SampleExport {
    /// All that an audit of the export must find, with the policy that is written beside it, and nothing else:
    /// the worst first, then by rule, then by subject.
    ///
    /// Memory grows with the findings, not with the claims.
    public func expectedFindings() -> [ExpectedFinding] {
        var findings: [ExpectedFinding] = []
        for number in 0..<layout.clusters { findings += cluster(number).expectedFindings }
        for index in 0..<count where plantedMember(at: index) == nil { findings += findingsByItself(at: index) }
        return findings.sorted(by: ExpectedFinding.isBefore)
    }

    /// What must be found in the planted clusters, a kind at a time.
    public func expectedFindings(of plant: Plant) -> [[ExpectedFinding]] {
        (0..<layout.clusters).filter { PlantLayout.plant(of: $0) == plant }.map { cluster($0).expectedFindings }
    }

    /// What must be found in a claim that belongs to no cluster.
    private func findingsByItself(at index: Int) -> [ExpectedFinding] {
        let forgery = forgery(at: index)
        let draft = ClaimDraft(index: index, seed: seed, asOf: Self.asOf)
        var findings: [ExpectedFinding] = []
        func expect(_ rule: Plant, _ subject: String) {
            findings.append(
                ExpectedFinding(
                    rule: rule.rawValue, severity: rule.severity, subject: subject,
                    sources: [SampleClaim.source(at: index)],
                    // A forger's row names the device of the draft, unless that is what is forged.
                    devices: forgery == nil && draft.row.deviceID.isEmpty || forgery == .deviceIDMalformed ? 0 : 1,
                    accounts: draft.row.accountID.isEmpty ? 0 : 1))
        }
        let source = "source:" + SampleClaim.source(at: index)
        if let rule = forgery?.raises { expect(rule, source) }
        guard forgery?.leavesEvidence != false else { return findings }
        let refunds = draft.receipt.purchases.filter { $0.cancelledAt != nil }
        if !refunds.isEmpty { expect(.refundedPurchase, source) }
        if refunds.count >= 3 {
            if !draft.row.accountID.isEmpty {
                expect(.repeatRefunds, "account:" + draft.row.accountID)
            } else if forgery == nil ? !draft.row.deviceID.isEmpty : forgery != .deviceIDMalformed {
                expect(.repeatRefunds, "device:" + draft.receipt.device.text)
            }
        }
        return findings
    }
}

extension Forgery {
    /// The rule by which it is found, if there is one.
    public var raises: Plant? {
        switch self {
        case .signatureInvalid: .forgedSignature
        case .signerNotFound, .chainUntrusted, .chainExpired, .signerNotAppStore: .untrustedSigner
        case .noncanonicalContainer: .alteredContainer
        case .guidMismatch: .deviceMismatch
        case .bundleIDMismatch: .foreignApp
        case .receiptExpired: .expiredReceipt
        case .rowMalformed, .receiptNotFound, .receiptUnreadable, .receiptEmpty, .unknownFormat, .malformedContainer,
            .notSigned, .noContent, .malformedReceipt, .malformedInAppPurchase, .deviceIDMalformed,
            .appVersionMismatch:
            nil
        }
    }

    /// Whether what the receipt says of purchases still counts: it is readable and genuine.
    var leavesEvidence: Bool {
        switch self {
        case .noncanonicalContainer, .malformedInAppPurchase, .deviceIDMalformed, .guidMismatch,
            .bundleIDMismatch, .appVersionMismatch, .receiptExpired:
            true
        default: false
        }
    }
}
