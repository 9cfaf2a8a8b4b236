import Encodings
import Inputs

/// Recognises what was sent instead of a proof: what a purchase-cracking tool made up, or an app sends by mistake.
extension Facts {
    /// How many of the bytes are examined. What tools and mistaken apps send has a few thousand.
    private static let maxExamined = 64 << 10

    /// Recognises bytes that are no proof, decoded if they were base64.
    mutating func recognise(_ bytes: Span<UInt8>) {
        var first = bytes.byteOrderMark
        while first < min(bytes.count, 64), bytes[first].isBlank { first += 1 }
        guard first < bytes.count, bytes[first].opensText else { return }
        var start = bytes.extracting(first..<bytes.count).extracting(first: Self.maxExamined).copy()
        // A character may have been cut.
        if bytes.count - first > start.count, let last = start.lastIndex(where: { $0 < 0x80 }) {
            start.removeLast(start.count - 1 - last)
        }
        switch ForeignFormat(sniffing: start) {
        case .transactionReceipt, .oldPropertyList: fabrication = FabricatedReceipt(sniffing: start)
        case .storeKitJSON: mistake = .sentTransactionJSON
        case .googlePlay: mistake = .sentGooglePlay
        case .dataDescription: mistake = .sentDataDescription
        case .json, .verifyReceiptRequest, .verifyReceiptResponse, .serverNotification: mistake = .sentJSON
        default: return
        }
    }
}

extension UInt8 {
    /// Whether JSON, a property list or the description of data begins with it.
    fileprivate var opensText: Bool {
        self == UInt8(ascii: "{") || self == UInt8(ascii: "[") || self == UInt8(ascii: "<")
    }
}
