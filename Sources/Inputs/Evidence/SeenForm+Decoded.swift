import Encodings

extension SeenForm {
    /// Recognizes what Apple signed by the names in a decoded copy of it, in any case and spelling, in a header of a table
    /// as in JSON or a line of a log.
    init?(decoded text: Span<UInt8>) {
        let start = text.extracting(first: 16 << 10).copy().filter { !Array("_- ".utf8).contains($0) }
        let letters = start.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
        func has(_ name: String) -> Bool { letters.span.firstIndex(of: Array(name.utf8), from: 0) != nil }
        if has("notificationtype") || has("notificationuuid") {
            self = .decodedNotification
        } else if has("originaltransactionid") || has("revocationdate") || has("autorenewproductid") {
            self = .transactionJSON
        } else {
            return nil
        }
    }
}
