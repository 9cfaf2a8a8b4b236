import DER
import Encodings
import Inputs

extension MadeUpReceipt {
    /// How much of what was sent is looked at. What the tools write has a few thousand bytes.
    static let maxBytes = 64 << 10

    /// Looks at what was sent; `nil` if no tool that is known writes such a thing.
    ///
    /// - Parameters:
    ///   - bytes: what was sent, decoded if it was base64.
    ///   - wasBase64: whether it was.
    public init?(sniffing bytes: [UInt8], wasBase64: Bool) {
        guard bytes.first(where: { !$0.isBlank }) == UInt8(ascii: "{") else { return nil }
        switch ForeignFormat(sniffing: bytes) {
        case .json, .verifyReceiptRequest, .verifyReceiptResponse, .serverNotification:
            guard wasBase64 else { return nil }
            self = .json
        case .transactionReceipt, .oldPropertyList:
            self.init(propertyList: OldPropertyList(bytes))
        default: return nil
        }
    }

    /// The same for bytes that are nearly never such a thing.
    init?(_ bytes: Span<UInt8>, wasBase64: Bool) {
        var first = 0
        while first < min(bytes.count, 64), bytes[first].isBlank { first += 1 }
        guard first < bytes.count, bytes[first] == UInt8(ascii: "{") else { return nil }
        self.init(sniffing: bytes.extracting(first: Self.maxBytes).copy(), wasBase64: wasBase64)
    }

    private init?(propertyList list: OldPropertyList) {
        guard let signature = list["signature"], !signature.isEmpty else {
            self = .unsignedPropertyList
            return
        }
        var decoded: [UInt8] = []
        guard let encoded = list["purchase-info"], Base64.decode(encoded.utf8.span, into: &decoded) else { return nil }
        self.init(purchaseInfo: OldPropertyList(decoded))
    }

    private init?(purchaseInfo info: OldPropertyList) {
        if let transaction = info["transaction-id"], !transaction.isEmpty,
            info["original-transaction-id"] == transaction, info["item-id"] == transaction
        {
            self = .sameIdentifiers
        } else if info.values.contains(where: { $0.utf8.contains("Europe/Copenhagen".utf8) }) {
            self = .timeZone
        } else if info.entries.contains(where: { $0.key.hasPrefix("expires-date") && Self.isFar($0.value) }) {
            self = .farExpiry
        } else {
            return nil
        }
    }

    /// 2099-01-01, as text or in milliseconds since 1970; anywhere in the world.
    private static func isFar(_ date: ExactText) -> Bool {
        if date.hasPrefix("2099-01-01") { return true }
        guard let milliseconds = Int64(date.text) else { return false }
        let midnight: Int64 = 4_070_908_800_000
        return (midnight - 14 * 3_600_000..<midnight + 36 * 3_600_000).contains(milliseconds)
    }
}
