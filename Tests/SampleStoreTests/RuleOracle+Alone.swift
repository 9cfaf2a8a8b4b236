import Checks
import Encodings
import FoundationEssentials
import Proofs
import Receipts
import SampleStore

/// The rules of one claim.
extension RuleOracle {
    mutating func judgeAlone(_ witness: Witness) {
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
