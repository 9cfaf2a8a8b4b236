import Encodings

/// A planted fraud: its claims, and the findings that an audit must report about them.
///
/// A cluster is drafted as a whole, which is cheap; only requested claims are signed.
struct PlantedCluster {
    let plant: Plant
    /// The number of earlier clusters of the same kind, whose variants take turns.
    let turn: Int
    let tactic: Tactic?
    let seed: UInt64
    /// The indices of the claims in the export.
    let indices: [Int]
    var random: SeededGenerator
    var members: [PlantedMember] = []
    var findings: [PlantedFinding] = []
    /// The numbers of the victims' claims, if there is a tactic.
    var victims: [Int] = []
    /// The instant at which the fraud began.
    let start: Instant

    init(_ plant: Plant, turn: Int, number: Int, indices: [Int], seed: UInt64) {
        self.plant = plant
        self.turn = turn
        tactic = plant.tactic(turn: turn)
        self.seed = seed
        self.indices = indices
        // A seed other than the drafts' and the forgers'.
        var random = SeededGenerator(seed: seed ^ 0x706c_616e_7473, index: number)
        let age = random.below(2200 * PurchaseHistory.day)
        start =
            plant.isOfTokens
            ? ClaimDraft.firstAppTransactionID.adding(seconds: Int64(age % (200 * PurchaseHistory.day)))
            : tactic == nil
                ? Instant.utc(2020).adding(seconds: Int64(age))
                : Instant.utc(2024).adding(seconds: Int64(age % (500 * PurchaseHistory.day)))
        self.random = random
        if let tactic { compose(tactic) } else { compose() }
    }

    /// The app of a cluster that may be in any: alternating between phones and Macs.
    var app: SampleApp { turn % 2 == 0 ? .notes : .drafts }

    /// Returns the instant that is this number of days after the start.
    func day(_ number: Int) -> Instant { start.adding(seconds: Int64(number * PurchaseHistory.day)) }

    /// Adds a claim with a receipt created some days after the start, by default for a separate device and account.
    ///
    /// - Returns: the number of the claim.
    @discardableResult mutating func add(
        _ app: SampleApp, day number: Int = 0, device: SampleDevice? = nil, account: String? = nil,
        buying purchases: (ClaimDraft) -> [PurchaseContent] = { _ in [] }
    ) -> Int {
        let index = members.count < indices.count ? indices[members.count] : 0
        var draft = ClaimDraft(plainAt: index, seed: seed, app: app, createdAt: day(number), device: device)
        if let account { draft.row.accountID = account }
        draft.receipt.purchases = purchases(draft)
        draft.row.productID = draft.receipt.purchases.last?.productID ?? ""
        members.append(PlantedMember(draft: draft))
        return members.count - 1
    }

    /// Adds a finding that an audit must report; the first of the members names the subject.
    mutating func expect(
        _ rule: Plant, _ subject: PlantedFinding.Subject = .claim, of members: [Int],
        severity: ExpectedFinding.Severity? = nil
    ) {
        findings.append(
            PlantedFinding(rule: rule, severity: severity ?? rule.severity, subject: subject, members: members))
    }

    /// Adds a finding about each of these claims by itself.
    mutating func expectEach(_ rule: Plant, of members: [Int], severity: ExpectedFinding.Severity? = nil) {
        for member in members { expect(rule, of: [member], severity: severity) }
    }

    /// The numbers of all claims so far.
    var all: [Int] { Array(members.indices) }

    /// Returns the device that a claim names.
    func device(_ member: Int) -> SampleDevice { members[member].device }

    /// Returns the account of a claim.
    func account(_ member: Int) -> String { members[member].draft.row.accountID }

    /// Makes one claim.
    func claim(_ member: Int, by authorities: SampleAuthorities) throws(SigningError) -> SampleClaim {
        let draft = members[member].draft
        let bytes = try members[member].file(by: authorities)
        return SampleClaim(
            index: draft.index, row: draft.row, file: SampleFile(path: draft.row.file, bytes: bytes),
            truth: .planted(plant))
    }
}

extension PlantedCluster {
    /// Drafts the claims of a cluster, and the findings that an audit must report of them.
    fileprivate mutating func compose() {
        switch plant {
        case .forgedSignature, .untrustedSigner, .alteredContainer, .crackerReceipt, .testReceipt, .obsoleteSignature:
            composeForged()
        case .foreignApp, .deviceMismatch, .missingPurchase, .refundedPurchase, .expiredSubscription, .unknownProduct,
            .expiredReceipt:
            composeGenuine()
        case .purchaseBurst: composePurchaseBurst()
        case .impossibleDates: composeImpossibleDates()
        case .sharedReceipt: composeSharedReceipt()
        case .sharedTransaction: composeSharedTransaction()
        case .sharedAccount: composeSharedAccount()
        case .replayedConsumable: composeReplayedConsumable()
        case .transactionConflict: composeTransactionConflict()
        case .hiddenRefund: composeHiddenRefund()
        case .snapshotRollback: composeSnapshotRollback()
        case .repeatRefunds: composeRepeatRefunds()
        case .trialAbuse: composeTrialAbuse()
        case .crowdedDevice: composeCrowdedDevice()
        case .fraudRing: composeFraudRing()
        case .unattributedReplay: composeUnattributedReplay()
        case .lentApp: composeLentApp()
        case .accountTokenMismatch: composeAccountTokenMismatch()
        case .tokenReplay: composeTokenReplay()
        case .sharedPerson: composeSharedPerson()
        case .storefrontHop: composeStorefrontHop()
        case .familyOverreach: composeFamilyOverreach()
        }
    }
}

/// One claim of a planted cluster before it is signed.
struct PlantedMember {
    /// The content of the file.
    enum Form {
        /// A receipt or token of the store.
        case genuine
        /// A receipt whose content was replaced after signing.
        case altered(ReceiptContent)
        case rogue
        case expired
        case developer
        /// A receipt without the signer's certificate.
        case signerless
        case rewrapped(ContainerVariant)
        case xcode
        /// Bytes that are not a receipt.
        case bytes([UInt8])
    }

    var draft: ClaimDraft
    var form = Form.genuine
    /// The device that presents the proof, as an audit sees it; it may differ from the proof's.
    var device: SampleDevice
    /// Whether the row names no readable device.
    var isWithoutDevice = false

    init(draft: ClaimDraft) {
        self.draft = draft
        device = draft.receipt.device
    }

    /// Returns the bytes of the file.
    func file(by authorities: SampleAuthorities) throws(SigningError) -> [UInt8] {
        switch form {
        case .genuine: try draft.file(by: authorities)
        case .rogue: try container(authorities.rogue)
        case .expired: try container(authorities.expired)
        case .developer: try container(authorities.developer)
        case .altered(let content): try container(authorities.genuine) { $0.content = content.der }
        case .signerless: try container(authorities.genuine) { $0.certificates.removeFirst() }
        case .rewrapped(let deviation):
            draft.encoded(
                try deviation.container(signing: draft.receipt.der, by: authorities.genuine, digest: draft.digest))
        case .xcode: draft.encoded(try XcodeReceipt.bytes(draft.receipt))
        case .bytes(let bytes): bytes
        }
    }

    /// Returns the bytes that identify the claim's proof: the content, if the store signed it in the form of the App
    /// Store.
    func proof(by authorities: SampleAuthorities) -> [UInt8] {
        if case .genuine = form { return draft.content }
        // Without a signature there is no file, and the claim's id matches no other, so a comparison fails.
        return (try? file(by: authorities)) ?? []
    }

    private func container(
        _ signer: PrivateAuthority, change: (inout SignedDataContent) -> Void = { _ in }
    ) throws(SigningError) -> [UInt8] {
        var container = try SignedDataContent(signing: draft.receipt.der, by: signer, digest: draft.digest)
        change(&container)
        return draft.encoded(container.encoded)
    }
}

/// A finding of a cluster, by the numbers of its claims.
struct PlantedFinding {
    enum Subject {
        case claim
        case receipt
        /// The original transaction id.
        case transaction(String)
        case device
        case account
        /// A token's `appTransactionId`.
        case person
        /// The app and the date on which it was first bought.
        case app
    }

    var rule: Plant
    var severity: ExpectedFinding.Severity
    var subject: Subject
    /// The involved claims. The first one names the subject.
    var members: [Int]
}

extension PlantedCluster {
    /// Returns the findings that an audit must report.
    func expectedFindings(by authorities: SampleAuthorities) -> [ExpectedFinding] {
        findings.map { finding in
            let claims = finding.members.map { members[$0] }.sorted { $0.draft.index < $1.draft.index }
            return ExpectedFinding(
                rule: finding.rule.rawValue, severity: finding.severity, subject: subject(of: finding, authorities),
                sources: claims.map { SampleClaim.source(at: $0.draft.index) },
                devices: Set(claims.filter { !$0.isWithoutDevice }.map(\.device)).count,
                accounts: Set(claims.map(\.draft.row.accountID).filter { !$0.isEmpty }).count)
        }
    }

    private func subject(of finding: PlantedFinding, _ authorities: SampleAuthorities) -> String {
        let first = members[finding.members.first ?? 0]
        switch finding.subject {
        case .claim: return "claim:" + first.draft.row.caseID(proof: first.proof(by: authorities))
        case .receipt:
            let digest = SampleDigest.sha256.hash(first.draft.receipt.der)
            return "receipt:" + Hex.string(digest.span)
        case .transaction(let id): return "transaction:" + id
        case .device: return "device:" + first.device.text
        case .account: return "account:" + first.draft.row.accountID
        case .person: return "person:" + (first.draft.token?.appTransactionID ?? "")
        case .app:
            let date = first.draft.receipt.originallyPurchasedAt?.description ?? ""
            return "app:\(first.draft.receipt.bundleID):\(date)"
        }
    }
}
