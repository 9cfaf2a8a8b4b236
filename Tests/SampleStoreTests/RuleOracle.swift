import Checks
import Encodings
import FoundationEssentials
import Inputs
import Proofs
import Receipts
import SampleStore

/// A second implementation of the rules, as plain as possible, to check the truth of the samples.
struct RuleOracle {
    /// A claim with the results of its checks.
    struct Witness {
        let claim: SampleClaim
        let facts: Facts
        let device: String?
        var account: String { claim.row.accountID }
        var deviceHashMatches: Bool { facts.deviceHash == .match }
        /// What counts as evidence.
        var purchases: [Purchase] { facts.isGenuine ? facts.receipt?.purchases ?? [] : [] }

        init(_ claim: SampleClaim, _ facts: Facts) {
            self.claim = claim
            self.facts = facts
            let ids = facts.claimedDevice.identifiers
            let matching = ids.first { id in
                guard let binding = facts.receipt?.deviceHashInput else { return false }
                return SampleDigest.sha1.hash(id + binding.opaqueValue + binding.bundleIDOctets) == binding.hash
            }
            device =
                facts.claimedDevice.isMalformed
                ? nil
                : (matching ?? facts.claimedDevice.smallestUsable.map { ids[$0] }).map {
                    ($0.count == 6 ? SampleDevice.networkAddress($0) : .vendorIdentifier($0)).text
                }
        }
    }

    let witnesses: [Witness]
    var found: [ExpectedFinding] = []

    /// Checks every claim of an export.
    init(_ export: SampleExport) throws {
        let trust = try TrustAnchors(files: [(name: "root.cer", bytes: export.root)])
        var expectations = Expectations(asOf: SampleExport.asOf)
        expectations.environments = ["Production", "ProductionVPP", "ProductionSandbox"]
        expectations.bundleIDs = Set(SampleApp.catalogue.map { ExactText($0.bundleID) })
        let checker = try Checker(trust: trust, expectations: expectations)
        witnesses = try (0..<export.count).map { index in
            let made = try export.claim(at: index)
            var claim = Claim(source: ExactText(made.source))
            claim.deviceID = ExactText(made.row.deviceID)
            claim.bundleID = ExactText(made.row.bundleID)
            claim.appVersion = ExactText(made.row.appVersion)
            guard let file = made.file, file.extendedTo == nil, !made.row.isCutShort else {
                return Witness(made, checker.facts(of: claim, fault: InputFault(.receiptNotFound, "no file")))
            }
            let bytes = container(in: file)
            return Witness(made, checker.facts(of: claim, receipt: bytes.span))
        }
        for witness in witnesses { checkAlone(witness) }
        checkTogether()
        found.sort(by: ExpectedFinding.isBefore)
    }

    mutating func add(
        _ rule: Plant, _ severity: ExpectedFinding.Severity, _ subject: String, _ involved: [Witness]
    ) {
        let claims = Set(involved.map(\.claim.index)).sorted().map { witnesses[$0] }
        found.append(
            ExpectedFinding(
                rule: rule.rawValue, severity: severity, subject: subject, sources: claims.map(\.claim.source),
                devices: Set(claims.compactMap(\.device)).count,
                accounts: Set(claims.map(\.account).filter { !$0.isEmpty }).count))
    }
}

/// The rules of one claim.
extension RuleOracle {
    mutating func checkAlone(_ witness: Witness) {
        let facts = witness.facts
        func add(_ rule: Plant, _ severity: ExpectedFinding.Severity, if isRaised: Bool) {
            if isRaised { self.add(rule, severity, "source:" + witness.claim.source, [witness]) }
        }
        func failed(_ checks: Check...) -> Bool { checks.contains { facts.failed.contains($0) } }
        let receipt = facts.receipt
        let products = witness.purchases.map(\.productID.text)
        let isXcode = receipt?.environment == "Xcode"
        add(.forgedSignature, .critical, if: failed(.signatureInvalid))
        add(
            .untrustedSigner, .critical,
            if: failed(.signerNotFound, .chainUntrusted, .chainExpired, .signerNotAppStore))
        add(.crackerReceipt, .critical, if: failed(.unknownFormat) && Self.isBraced(witness.claim))
        add(.foreignApp, .critical, if: facts.isGenuine && failed(.bundleIDMismatch))
        add(.testReceipt, isXcode ? .critical : .high, if: failed(.environmentMismatch))
        add(.alteredContainer, .high, if: facts.isGenuine && failed(.noncanonicalContainer) && !isXcode)
        add(.deviceMismatch, .medium, if: facts.isGenuine && failed(.guidMismatch))
        let asked = witness.claim.row.productID
        let isWhole = facts.isGenuine && facts.receipt != nil
        add(.missingPurchase, .high, if: isWhole && !asked.isEmpty && !products.contains(asked))
        add(.refundedPurchase, .high, if: witness.purchases.contains { $0.cancellationDate != nil })
        let app = SampleApp.catalogue.first { $0.bundleID == receipt?.bundleID.text }
        let known = app?.products.map(\.id) ?? products
        add(.unknownProduct, .medium, if: products.contains { !known.contains($0) })
        add(.impossibleDates, .high, if: witness.purchases.contains { Self.isImpossible($0, in: receipt) })
        let isLate = receipt.map { $0.createdAt >= .utc(2025, 1, 25) } ?? false
        add(.obsoleteSignature, .medium, if: isLate && facts.signature?.digestAlgorithm == .sha1)
        add(.expiredReceipt, .medium, if: failed(.receiptExpired))
        let dates = witness.purchases.map(\.purchaseDate).sorted()
        let isBurst = zip(dates, dates.dropFirst(20)).contains { $1 <= $0.adding(seconds: 600) }
        add(.purchaseBurst, .medium, if: isBurst)
    }

    /// Whether a file is, or is base64 of, something in braces.
    private static func isBraced(_ claim: SampleClaim) -> Bool {
        guard let bytes = claim.file?.bytes else { return false }
        let decoded = Data(base64Encoded: Data(bytes)).map { [UInt8]($0) }
        return bytes.first == UInt8(ascii: "{") || decoded?.first == UInt8(ascii: "{")
    }

    private static func isImpossible(_ purchase: Purchase, in receipt: Receipt?) -> Bool {
        func isAfter(_ a: Instant?, _ b: Instant?) -> Bool {
            guard let a, let b else { return false }
            return a > b.adding(seconds: 300)
        }
        let end = purchase.expiresDate
        let isProduction =
            receipt?.environment?.hasPrefix("Production") == true
            && receipt?.environment != "ProductionSandbox"
        return isAfter(purchase.purchaseDate, receipt?.createdAt)
            || end.map { $0 <= purchase.purchaseDate } == true
            || isAfter(purchase.purchaseDate, purchase.cancellationDate)
            || isAfter(purchase.originalPurchaseDate, purchase.purchaseDate)
            || isProduction && end.map { $0 < purchase.purchaseDate.adding(seconds: 86_400) } == true
    }
}

/// The rules of many claims.
extension RuleOracle {
    /// One purchase as one claim shows it.
    private struct Observation {
        let witness: Witness
        let purchase: Purchase
        var original: String { (purchase.originalTransactionID ?? purchase.transactionID).text }
        /// What makes it one purchase, however often it is restored.
        var identity: String { purchase.webOrderLineItemID.map { "item \($0)" } ?? purchase.transactionID.text }
    }

    mutating func checkTogether() {
        let observations = witnesses.flatMap { witness in
            witness.purchases.map { Observation(witness: witness, purchase: $0) }
        }
        checkReceipts()
        for (original, observations) in Dictionary(grouping: observations, by: \.original) {
            check(original: original, observations)
        }
        for observations in Dictionary(grouping: observations, by: \.purchase.transactionID).values {
            check(transaction: observations)
        }
        let byDevice = Dictionary(grouping: observations.filter { $0.witness.device != nil }) {
            $0.witness.device ?? ""
        }
        let byAccount = Dictionary(grouping: observations.filter { !$0.witness.account.isEmpty }, by: \.witness.account)
        for (device, observations) in byDevice {
            checkRefunds("device:" + device, observations.filter(\.witness.account.isEmpty))
            checkTrials("device:" + device, observations)
        }
        for (account, observations) in byAccount {
            checkRefunds("account:" + account, observations)
            checkTrials("account:" + account, observations)
        }
        checkRings()
    }

    /// The distinct devices and accounts of some claims.
    private func devices(_ witnesses: [Witness]) -> Int { Set(witnesses.compactMap(\.device)).count }
    private func accounts(_ witnesses: [Witness]) -> Int { Set(witnesses.map(\.account)).subtracting([""]).count }

    private mutating func checkReceipts() {
        let readable = witnesses.filter { $0.facts.signature != nil }
        let byContent = Dictionary(grouping: readable) { witness in
            witness.facts.signature.map { Hex.string($0.contentDigest.octets) } ?? ""
        }
        for (digest, claims) in byContent where devices(claims) >= 2 {
            add(.sharedReceipt, .critical, "receipt:" + digest, claims)
        }
        for (device, claims) in Dictionary(grouping: witnesses.filter { $0.device != nil }, by: { $0.device ?? "" }) {
            if accounts(claims) > 5 { add(.crowdedDevice, .medium, "device:" + device, claims) }
            let genuine = claims.filter { $0.facts.isGenuine }
            let involved = genuine.filter { one in genuine.contains { Self.contradict(one, $0) } }
            if !involved.isEmpty { add(.snapshotRollback, .low, "device:" + device, involved) }
        }
    }

    /// Whether the order of presentation of two snapshots of one app is not that of their creation.
    private static func contradict(_ one: Witness, _ other: Witness) -> Bool {
        guard let a = one.facts.receipt, let b = other.facts.receipt, a.bundleID == b.bundleID,
            let early = one.claim.row.presentedAt, let late = other.claim.row.presentedAt
        else { return false }
        return early < late && a.createdAt > b.createdAt || early > late && a.createdAt < b.createdAt
    }

    private mutating func check(original: String, _ observations: [Observation]) {
        let claims = observations.map(\.witness)
        let verified = devices(claims.filter(\.deviceHashMatches))
        let count = verified > 0 ? verified : devices(claims)
        if count > 5 { add(.sharedTransaction, count > 10 ? .high : .medium, "transaction:" + original, claims) }
        if accounts(claims) > 1 { add(.sharedAccount, .high, "transaction:" + original, claims) }
    }

    private mutating func check(transaction observations: [Observation]) {
        let claims = observations.map(\.witness)
        let subject = "transaction:" + (observations.map(\.original).min() ?? "")
        if observations.contains(where: { $0.purchase.kind == .consumable }),
            devices(claims) > 1 || accounts(claims) > 1
        {
            add(.replayedConsumable, .critical, subject, claims)
        }
        let tales = observations.map {
            [$0.purchase.productID.text, $0.purchase.purchaseDate.description, $0.original]
        }
        if Set(tales).count > 1 { add(.transactionConflict, .critical, subject, claims) }
        guard let refund = observations.compactMap(\.purchase.cancellationDate).min() else { return }
        let hiding = observations.filter { observation in
            observation.purchase.cancellationDate == nil
                && observation.witness.claim.row.presentedAt.map { $0 > refund } == true
        }
        if !hiding.isEmpty {
            let showing = observations.filter { $0.purchase.cancellationDate != nil }
            add(.hiddenRefund, .high, subject, (showing + hiding).map(\.witness))
        }
    }

    private mutating func checkRefunds(_ subject: String, _ observations: [Observation]) {
        let refunds = observations.filter { $0.purchase.cancellationDate != nil }
        if Set(refunds.map(\.identity)).count >= 3 { add(.repeatRefunds, .medium, subject, refunds.map(\.witness)) }
    }

    private mutating func checkTrials(_ subject: String, _ observations: [Observation]) {
        let trials = observations.filter { $0.purchase.isTrialPeriod || $0.purchase.isInIntroOfferPeriod }
        // All subscriptions of an app are in one group.
        for trials in Dictionary(grouping: trials, by: { $0.witness.facts.receipt?.bundleID ?? "" }).values {
            guard Set(trials.map(\.identity)).count > 1 else { continue }
            let isOne = Dictionary(grouping: trials, by: \.original).values.contains {
                Set($0.map(\.identity)).count > 1
            }
            add(.trialAbuse, isOne ? .high : .medium, subject, trials.map(\.witness))
        }
    }

    /// Joins devices by findings, the slow way.
    private mutating func checkRings() {
        let rules: Set = [Plant.sharedReceipt, .sharedAccount, .transactionConflict]
        let bySource = Dictionary(uniqueKeysWithValues: witnesses.map { ($0.claim.source, $0) })
        let links = found.filter { Plant(rawValue: $0.rule).map(rules.contains) == true }.map { finding in
            finding.sources.compactMap { bySource[$0] }
        }
        var rings = links.map { [$0] }
        while let (a, b) = rings.joined {
            rings[a] += rings[b]
            rings.remove(at: b)
        }
        for ring in rings where ring.count >= 2 {
            let claims = ring.flatMap { $0 }
            guard devices(claims) >= 3, let first = claims.compactMap(\.device).min() else { continue }
            add(.fraudRing, .critical, "device:" + first, claims)
        }
    }
}

extension [[[RuleOracle.Witness]]] {
    /// Two of these that have a device in common.
    fileprivate var joined: (Int, Int)? {
        let devices = map { Set($0.joined().compactMap(\.device)) }
        for a in indices {
            for b in indices where b > a && !devices[a].isDisjoint(with: devices[b]) { return (a, b) }
        }
        return nil
    }
}
