import Encodings
import FoundationEssentials

/// A receipt of Xcode's local test store: one self-signed certificate, BER, and few attributes.
///
/// It is readable, but not valid under App Store roots.
public enum XcodeReceipt {
    /// Returns the content that Xcode would write for a receipt.
    public static func content(from receipt: ReceiptContent) -> ReceiptContent {
        receipt.with { content in
            content.environment = "Xcode"
            content.appItemID = 0
            content.opaqueValue = Array(content.opaqueValue.prefix(8))
            content.downloadedAt = nil
            content.expiresAt = .utc(4001)
            let absent = [6, 7, 9, 10, 11, 13, 14, 15, 16, 18, 19, 20, 25]
            content.edits += absent.map { .leaveOut($0) } + [.version(4, 1)]
        }
    }

    /// Makes a receipt file.
    public static func bytes(_ receipt: ReceiptContent) throws(SigningError) -> [UInt8] {
        let signer = try SampleIdentity(selfSigned: certificate)
        let content = content(from: receipt).der
        let signature = try signer.key.signature(over: content, digest: .sha256)
        var container = SignedDataContent(content, signer: signer, digest: .sha256, signature: signature)
        container.signerInfos[0].signatureAlgorithm = SampleDigest.sha256.signatureAlgorithm
        container.encoding = .indefinite(pieces: 1 << 16)
        return container.encoded
    }

    private static var certificate: CertificateContent {
        CertificateContent(
            DistinguishedName("Sample Test Store", organization: "Sample Test Store"), serialNumber: 1,
            notBefore: .utc(2020), notAfter: .utc(2040), key: .developer
        ).with { $0.isAuthority = true }
    }
}

/// A file that a purchase cracker sends instead of a receipt. All texts here are made up, except for the product that
/// such tools replay.
enum CrackedReceipt: CaseIterable {
    /// The signed list of one product of 2012, which is sent for every app.
    case replayed
    /// An unsigned old-style property list.
    case unsigned
    /// A signed list with one number for transaction, original and item.
    case oneNumber
    /// A signed list with the time zone of the cracker's author.
    case copenhagen
    /// A signed list with a subscription that never ends.
    case endless

    /// Returns the bytes of the file.
    func bytes(for draft: ClaimDraft, _ random: inout SeededGenerator) -> [UInt8] {
        var keys = [
            ("purchase-info", String(decoding: Self.base64(info(draft)), as: UTF8.self)),
            ("environment", "Production"),
            ("pod", "7"),
            ("signing-status", "0"),
        ]
        if self != .unsigned {
            keys.insert(("signature", String(decoding: Self.base64(random.octets(128)), as: UTF8.self)), at: 0)
        }
        let list = Self.list(keys)
        return draft.isBase64 ? Self.base64(list) : Array(list.utf8)
    }

    /// Returns the nested list, with the purchase and the mark of the cracker, if it is in there.
    private func info(_ draft: ClaimDraft) -> String {
        let date = draft.receipt.createdAt.description.replacing("T", with: " ").dropLast()
        let zone = self == .copenhagen ? "Europe/Copenhagen" : "Etc/GMT"
        var keys = [
            ("bid", draft.row.bundleID),
            ("product-id", self == .replayed ? "com.zeptolab.ctrbonus.superpower1" : draft.row.productID),
            ("transaction-id", draft.transactionID(0)),
            ("original-transaction-id", draft.transactionID(self == .oneNumber ? 0 : 1)),
            ("item-id", self == .oneNumber ? draft.transactionID(0) : String(draft.app.itemID)),
            ("purchase-date", "\(date) \(zone)"),
            ("original-purchase-date", "\(date) \(zone)"),
            ("quantity", "1"),
        ]
        if self == .endless {
            keys.append(("expires-date", "4070908800000"))
            keys.append(("expires-date-formatted", "2099-01-01 00:00:00 Etc/GMT"))
        }
        return Self.list(keys)
    }

    /// Returns a NeXTSTEP property list.
    private static func list(_ keys: [(String, String)]) -> String {
        "{\n" + keys.map { "\t\"\($0)\" = \"\($1)\";\n" }.joined() + "}"
    }

    private static func base64(_ text: String) -> [UInt8] { base64(Array(text.utf8)) }

    private static func base64(_ bytes: [UInt8]) -> [UInt8] { Array(Data(bytes).base64EncodedData()) }
}
