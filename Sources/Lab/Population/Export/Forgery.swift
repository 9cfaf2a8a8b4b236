import DER
import Encodings

/// A fault that a single claim can have, named after the check that then fails: the raw value is the check's code.
///
/// The list belongs to the sample store, so that its expectations do not depend on the tested code.
public enum Forgery: String, CaseIterable, Sendable {
    case rowMalformed = "row-malformed"
    case receiptNotFound = "receipt-not-found"
    case receiptUnreadable = "receipt-unreadable"
    case receiptEmpty = "receipt-empty"
    case unknownFormat = "unknown-format"
    case malformedContainer = "malformed-container"
    case notSigned = "not-signed"
    case noContent = "no-content"
    case notAProof = "not-a-proof"
    case noncanonicalContainer = "noncanonical-container"
    case signatureInvalid = "signature-invalid"
    case signerNotFound = "signer-not-found"
    case chainUntrusted = "chain-untrusted"
    case chainExpired = "chain-expired"
    case signerNotAppStore = "signer-not-app-store"
    case malformedReceipt = "malformed-receipt"
    case malformedInAppPurchase = "malformed-in-app-purchase"
    case deviceIDMalformed = "device-id-malformed"
    case guidMismatch = "guid-mismatch"
    case bundleIDMismatch = "bundle-id-mismatch"
    case appVersionMismatch = "app-version-mismatch"
    case environmentMismatch = "environment-mismatch"
    case receiptExpired = "receipt-expired"

    /// The faults in an export: all except `environment-mismatch`, which a policy decides, and `not-a-proof`, of which
    /// the attack suite has an object of each kind.
    public static let ofExports = allCases.filter { $0 != .environmentMismatch && $0 != .notAProof }

    /// The faults of a receipt file. The others are those of a row.
    static let ofReceipts = allCases.filter { $0 != .rowMalformed && $0 != .receiptNotFound && $0 != .notAProof }

    /// Whether nothing more of a receipt can be checked.
    var isUnreadable: Bool {
        switch self {
        case .receiptUnreadable, .receiptEmpty, .unknownFormat, .malformedContainer, .notSigned, .noContent,
            .notAProof:
            true
        default: false
        }
    }

    /// A description of the forgery, for the reader of the folder.
    public var summary: String {
        switch self {
        case .rowMalformed: "the row lacks its last cell; there is no file"
        case .receiptNotFound: "the row names a file that is not there"
        case .receiptUnreadable: "one byte over 8 MiB: a receipt, and zeros behind it. At most one in an export"
        case .receiptEmpty: "a file of no bytes"
        case .unknownFormat: "an error page, or noise, where a receipt belongs"
        case .malformedContainer: "a receipt whose end is cut off"
        case .notSigned: "the content of a receipt in PKCS #7 of the kind data"
        case .noContent: "a signature without the content that it is over"
        case .notAProof: "truly signed, but no proof of purchase"
        case .noncanonicalContainer: "a genuine receipt, rewrapped in a way the App Store never writes"
        case .signatureInvalid: "a purchase was added after signing"
        case .signerNotFound: "the signer's certificate was taken out"
        case .chainUntrusted: "signed by an untrusted authority that has the same names and markers"
        case .chainExpired: "signed by a certificate that ended before the receipt was created"
        case .signerNotAppStore: "signed by a developer's certificate under the same root"
        case .malformedReceipt: "truly signed, but the content is not a whole receipt"
        case .malformedInAppPurchase: "truly signed, but one purchase is not whole"
        case .deviceIDMalformed: "the row's device_id is not one"
        case .guidMismatch: "a genuine receipt of another device"
        case .bundleIDMismatch: "a genuine receipt of another app"
        case .appVersionMismatch: "a genuine receipt of another version of the app"
        case .environmentMismatch: "a genuine receipt of another environment"
        case .receiptExpired: "a genuine receipt of a volume purchase that has run out"
        }
    }

    /// The rule that finds it, if there is one.
    public var raises: Plant? {
        switch self {
        case .signatureInvalid: .forgedSignature
        case .signerNotFound, .chainUntrusted, .chainExpired, .signerNotAppStore: .untrustedSigner
        case .noncanonicalContainer: .alteredContainer
        case .guidMismatch: .deviceMismatch
        case .bundleIDMismatch: .foreignApp
        case .receiptExpired: .expiredReceipt
        case .environmentMismatch: .testReceipt
        case .rowMalformed, .receiptNotFound, .receiptUnreadable, .receiptEmpty, .unknownFormat, .malformedContainer,
            .notSigned, .noContent, .notAProof, .malformedReceipt, .malformedInAppPurchase, .deviceIDMalformed,
            .appVersionMismatch:
            nil
        }
    }

    /// Whether the purchases of the receipt are evidence, because it is readable and genuine.
    var leavesEvidence: Bool {
        switch self {
        case .noncanonicalContainer, .malformedInAppPurchase, .deviceIDMalformed, .guidMismatch,
            .bundleIDMismatch, .appVersionMismatch, .receiptExpired:
            true
        default: false
        }
    }
}

extension Forgery {
    /// Makes a claim with this fault and no other.
    ///
    /// Checks that depend on missing parts are impossible (a truncated container has no device hash to compare); of the
    /// possible checks, no other fails.
    public func claim(
        from genuine: ClaimDraft, by authorities: SampleAuthorities, seed: UInt64
    ) throws(SigningError) -> SampleClaim {
        var random = Self.generator(index: genuine.index, seed: seed)
        let draft = draft(from: genuine, &random)
        let bytes = try file(draft, authorities, &random)
        var claim = SampleClaim(index: draft.index, row: draft.row, file: nil, truth: .forged(self))
        if let bytes { claim.file = SampleFile(path: draft.row.file, bytes: bytes) }
        if case .receiptUnreadable = self { claim.file?.extendedTo = (8 << 20) + 1 }
        return claim
    }

    /// Makes the draft with the forged parts, before anything is signed.
    func draft(from genuine: ClaimDraft, seed: UInt64) -> ClaimDraft {
        var random = Self.generator(index: genuine.index, seed: seed)
        return draft(from: genuine, &random)
    }

    /// Makes a generator with another seed than the draft's, so that a forger's choices do not repeat the store's.
    private static func generator(index: Int, seed: UInt64) -> SeededGenerator {
        SeededGenerator(seed: ~seed, index: index)
    }

    private func draft(from genuine: ClaimDraft, _ random: inout SeededGenerator) -> ClaimDraft {
        var draft = genuine
        draft.row.deviceID = draft.receipt.device.text
        draft.row.bundleID = draft.receipt.bundleID
        draft.row.appVersion = draft.receipt.appVersion
        changeRow(&draft)
        changeReceipt(&draft, &random)
        return draft
    }

    /// Adds the fault of the row.
    private func changeRow(_ draft: inout ClaimDraft) {
        switch self {
        case .rowMalformed: draft.row.isCutShort = true
        case .deviceIDMalformed: draft.row.deviceID = String(draft.row.deviceID.dropLast()) + "?"
        case .bundleIDMismatch: draft.row.bundleID += ".pro"
        case .appVersionMismatch: draft.row.appVersion += ".99"
        default: break
        }
    }

    /// Adds the fault of the content, which the store then signs.
    private func changeReceipt(_ draft: inout ClaimDraft, _ random: inout SeededGenerator) {
        switch self {
        case .guidMismatch: draft.receipt.device = draft.receipt.device.otherOfItsKind(&random)
        case .malformedReceipt: draft.receipt.edits = [Self.receiptFaults[random.below(Self.receiptFaults.count)]]
        case .malformedInAppPurchase:
            var purchase = draft.inventedPurchase(&random)
            purchase.edits = [Self.purchaseFaults[random.below(Self.purchaseFaults.count)]]
            draft.receipt.purchases.append(purchase)
        case .receiptExpired:
            draft.receipt.environment = "ProductionVPP"
            draft.receipt.expiresAt = draft.row.presentedAt ?? draft.receipt.createdAt
            // A tester's subscription lasts minutes, which would be a separate fault here.
            for number in draft.receipt.purchases.indices {
                guard let end = draft.receipt.purchases[number].expiresAt else { continue }
                let day = draft.receipt.purchases[number].purchasedAt.adding(seconds: Int64(PurchaseHistory.day))
                draft.receipt.purchases[number].expiresAt = max(end, day)
            }
        default: break
        }
    }

    /// Returns the file, with the fault of the container or of the file; `nil` if there is no file.
    private func file(
        _ draft: ClaimDraft, _ authorities: SampleAuthorities, _ random: inout SeededGenerator
    ) throws(SigningError) -> [UInt8]? {
        let content = draft.receipt.der
        switch self {
        case .rowMalformed, .receiptNotFound: return nil
        case .receiptEmpty: return []
        case .unknownFormat: return random.chance(percent: 50) ? Self.errorPage : [0x89] + random.octets(2000)
        case .notSigned: return draft.encoded(SignedDataContent.data(content))
        case .noncanonicalContainer:
            let deviation = Self.rewrappings[random.below(Self.rewrappings.count)]
            return draft.encoded(
                try deviation.container(signing: content, by: authorities.genuine, digest: draft.digest))
        default: break
        }
        let signer =
            switch self {
            case .chainUntrusted: authorities.rogue
            case .chainExpired: authorities.expired
            case .signerNotAppStore: authorities.developer
            default: authorities.genuine
            }
        var container = try SignedDataContent(signing: content, by: signer, digest: draft.digest)
        switch self {
        case .signatureInvalid:
            container.content = draft.receipt.with { $0.purchases.append(draft.inventedPurchase(&random)) }.der
        case .signerNotFound: container.certificates.removeFirst()
        case .noContent: container.content = nil
        case .malformedContainer: return draft.encoded(container.encoded.dropLast(random.within(1...250)))
        default: break
        }
        return draft.encoded(container.encoded)
    }

    /// Receipts without a required attribute, or with a malformed one.
    private static let receiptFaults: [AttributeEdit] = [
        .leaveOut(3), .leaveOut(12), .replace(12, with: DERWriter.ia5String("yesterday")),
        .replace(3, with: DERWriter.integer(3)), .leaveOut(5),
    ]

    /// Purchases without a required attribute, or with a malformed one.
    private static let purchaseFaults: [AttributeEdit] = [
        .leaveOut(1702), .leaveOut(1703), .replace(1704, with: DERWriter.ia5String("yesterday")),
        .replace(1703, with: DERWriter.integer(7)),
    ]

    /// Deviations whose signature and chain OpenSSL still accepts.
    private static let rewrappings: [ContainerVariant] = [
        .indefiniteLengths, .unsignedAttributes, .certificateTwice, .otherVersion, .leftOverBehind,
    ]

    /// The answer of a proxy that cannot reach the store.
    private static let errorPage = Array(
        """
        <!DOCTYPE html>
        <html><head><title>502 Bad Gateway</title></head>
        <body><h1>Bad Gateway</h1><p>The sample proxy received no answer.</p></body></html>

        """.utf8)
}

extension SampleDevice {
    /// Another device of the same kind.
    func otherOfItsKind(_ random: inout SeededGenerator) -> SampleDevice {
        isMac ? .networkAddress([0xac, 0xde, 0x48] + random.octets(3)) : .vendorIdentifier(random.octets(16))
    }
}
