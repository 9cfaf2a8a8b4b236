import Encodings
import Inputs

/// Recognizes what was sent instead of a proof: a fake from a purchase-cracking tool, or something that an app sends by
/// mistake.
extension Facts {
    /// The maximum number of bytes to examine. Tools and faulty apps send a few thousand.
    private static let maxExamined = 64 << 10

    /// Recognizes bytes that are not a proof, decoded if they were base64.
    mutating func recognise(_ bytes: Span<UInt8>) {
        var first = bytes.byteOrderMark
        while first < min(bytes.count, 64), bytes[first].isBlank { first += 1 }
        guard first < bytes.count, bytes[first].opensKnownFormat else { return }
        var start = bytes.extracting(first..<bytes.count).extracting(first: Self.maxExamined).copy()
        // A character may have been truncated.
        if bytes.count - first > start.count, let last = start.lastIndex(where: { $0 < 0x80 }) {
            start.removeLast(start.count - 1 - last)
        }
        switch ForeignFormat(sniffing: start) {
        case .transactionReceipt: fabrication = FabricatedReceipt(sniffing: start)
        case .oldPropertyList: mistake = .sentPropertyList
        case .applePayToken, .appAttest:
            mistake = .sentUntrustedObject
            mistakenKey = ExactText(ForeignFormat(sniffing: start).map(\.description) ?? "")
        case .storeKitJSON: mistake = .sentTransactionJSON
        case .googlePlay: mistake = .sentGooglePlay
        case .dataDescription: mistake = .sentDataDescription
        case .json, .verifyReceiptRequest, .verifyReceiptResponse, .serverNotification: mistake = .sentJSON
        default: return
        }
    }
}

extension UInt8 {
    /// Whether JSON, a property list, the description of data or a map in CBOR can begin with it.
    fileprivate var opensKnownFormat: Bool {
        self == UInt8(ascii: "{") || self == UInt8(ascii: "[") || self == UInt8(ascii: "<") || self == 0xa2
            || self == 0xa3
    }
}
