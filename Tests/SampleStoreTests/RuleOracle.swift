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
        /// Genuine, and its device hash matches.
        var isMatching: Bool { facts.isGenuine && facts.deviceHash == .match }
        /// Of the receipt, by the SHA-256 of its content.
        var contentHash: String { facts.signature.map { Hex.string($0.contentDigest.octets) } ?? "" }
        var presentedAt: Instant { claim.row.presentedAt ?? SampleExport.asOf }

        /// Attribute 18 as text; `nil` if the container is not in the form of the App Store.
        var originallyPurchasedAt: String? {
            guard let file = claim.file, let tree = try? DERTree(parsing: container(in: file)),
                let content = tree[[1, 0, 2, 1, 0]], let attributes = try? DecodedAttributes(content.octets)
            else { return nil }
            return try? attributes.text(18)
        }

        /// The `claim_id`, of the proof's content if the store signed it in the form of the App Store.
        var id: String {
            let isRaw = facts.failed.sorted.contains { $0.rawValue <= Check.signerNotAppStore.rawValue }
            let proof = isRaw ? Hex.string(SampleDigest.sha256.hash(claim.file?.bytes ?? []).span) : contentHash
            let row = claim.row
            let cells = row.deviceID.split(separator: "|").map(String.init)
            let devices =
                facts.claimedDevice.isMalformed
                ? cells : facts.claimedDevice.identifiers.map { Hex.string($0.span) }
            let fields = [
                proof, Set(devices).sorted().joined(separator: "|"),
                row.deviceVerificationID.lowercased(), row.accountID, row.accountToken.lowercased(), row.bundleID,
                row.appVersion, row.productID, row.presentedAt.map { "\($0.seconds)000" } ?? "",
            ]
            let text = fields.map { String($0.utf8.count) + ":" + $0 }.joined()
            return String(Hex.string(SampleDigest.sha256.hash(Array(text.utf8)).span).prefix(24))
        }
        /// What counts as evidence.
        var purchases: [Purchase] { facts.isGenuine ? facts.receipt?.purchases ?? facts.token?.purchases ?? [] : [] }

        init(_ claim: SampleClaim, _ facts: Facts) {
            self.claim = claim
            self.facts = facts
            let ids = facts.claimedDevice.identifiers
            if let token = facts.token {
                let verification = claim.row.deviceVerificationID
                let isMatching = token.deviceVerification.map { bound in
                    let text = bound.nonce.text.lowercased() + verification.lowercased()
                    return SampleDigest.sha384.hash(Array(text.utf8)) == bound.hash
                }
                let named = facts.claimedDevice.smallestUsable.map { SampleDevice.vendorIdentifier(ids[$0]).text }
                device = isMatching == true ? verification : named ?? (verification.isEmpty ? nil : verification)
                return
            }
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
            claim.deviceVerificationID = ExactText(made.row.deviceVerificationID)
            claim.accountToken = ExactText(made.row.accountToken)
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
            if isRaised { self.add(rule, severity, "claim:" + witness.id, [witness]) }
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
        let isWhole = facts.isGenuine && (facts.receipt != nil || facts.token?.kind == .transaction)
        add(.missingPurchase, .medium, if: isWhole && !asked.isEmpty && !products.contains(asked))
        checkAsked(witness, add)
        let app = SampleApp.catalogue.first { $0.bundleID == facts.bundleID?.text }
        let known = app?.products.map(\.id) ?? products
        add(.unknownProduct, .medium, if: products.contains { !known.contains($0) })
        add(
            .impossibleDates, .high,
            if: receipt != nil && witness.purchases.contains { Self.isImpossible($0, in: receipt) })
        let isLate = receipt.map { $0.createdAt >= .utc(2025, 1, 25) } ?? false
        add(.obsoleteSignature, .medium, if: isLate && facts.signature?.digestAlgorithm == .sha1)
        add(.expiredReceipt, .medium, if: failed(.receiptExpired))
        let dates = witness.purchases.map(\.purchaseDate).sorted()
        let isBurst = zip(dates, dates.dropFirst(20)).contains { $1 <= $0.adding(seconds: 600) }
        add(.purchaseBurst, .medium, if: isBurst)
        add(.accountTokenMismatch, .medium, if: witness.isOfOtherAccount)
    }

    /// What was refunded, and whether the asked subscription ended long ago.
    private func checkAsked(
        _ witness: Witness, _ add: (Plant, ExpectedFinding.Severity, _ isRaised: Bool) -> Void
    ) {
        let asked = witness.purchases.filter { $0.productID.text == witness.claim.row.productID }
        let refunds = witness.purchases.filter { Self.isRefund($0, among: witness.purchases) }
        // A refund in the course of the claim's day is not before it.
        let known = refunds.filter { refund in
            asked.contains(refund) && refund.cancellationDate.map { $0 < witness.presentedAt } == true
        }
        let isUncovered = known.map(\.purchaseDate).max().map { last in
            !asked.contains { later in
                later.purchaseDate > last && later.expiresDate.map { $0 > witness.presentedAt } != false
            }
        }
        add(.refundedPurchase, isUncovered == true ? .medium : .info, !refunds.isEmpty)
        let ends = asked.filter { $0.kind == .autoRenewable }.compactMap { period in
            [period.expiresDate, period.cancellationDate].compactMap(\.self).min()
        }
        let limit = witness.presentedAt.adding(seconds: -60 * 86_400)
        add(.expiredSubscription, .low, !ends.isEmpty && ends.allSatisfy { $0 < limit })
    }

    /// Whether money went back: Apple says so, or nothing says that sharing ended or that it was an upgrade.
    static func isRefund(_ purchase: Purchase, among others: [Purchase]) -> Bool {
        guard let cancelled = purchase.cancellationDate else { return false }
        func original(_ one: Purchase) -> ExactText { one.originalTransactionID ?? one.transactionID }
        let isUpgradeGuessed = others.contains { other in
            original(other) == original(purchase) && other.productID != purchase.productID
                && other.purchaseDate >= cancelled.adding(seconds: -60)
                && other.purchaseDate <= cancelled.adding(seconds: 300)
        }
        guard let details = purchase.details else { return !isUpgradeGuessed }
        switch details.revocationType {
        case "REFUND_FULL", "REFUND_PRORATED": return true
        case "FAMILY_REVOKE": return false
        case nil where details.ownership == "FAMILY_SHARED" || details.isUpgraded: return false
        case nil where details.revocationReason == 0 || details.revocationReason == 1: return true
        default: return !details.isUpgraded && !isUpgradeGuessed
        }
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
