import DER
public import Encodings
import Inputs

/// The kinds of fake receipts from purchase-cracking tools, if there is no container.
///
/// Such tools pose as the App Store, on a jailbroken device or in a modified app, and make up what the app then sends
/// to its server. A fake is recognized by what such tools are known to write, never by what it lacks: an old-style
/// property list with the keys of an iOS 6 receipt. JSON is not a sign of a fake, because many honest apps send it by
/// mistake.
public enum FabricatedReceipt: String, Equatable, Sendable {
    /// An unsigned old-style property list, as used by iOS 6.
    case unsignedPropertyList
    /// Its transaction id, original id and item id are the same.
    case sameIdentifiers
    /// Its dates are in Europe/Copenhagen.
    case timeZone
    /// It expires on 2099-01-01.
    case farExpiry
    /// It is a genuine receipt from 2012 for one product, with which in-app purchase proxies answer for every app.
    case replayedProduct

    /// The product in that receipt.
    public static let replayedProductID: ExactText = "com.zeptolab.ctrbonus.superpower1"
}

extension FabricatedReceipt {
    /// Examines what was sent, decoded if it was base64; `nil` if no known tool writes it.
    public init?(sniffing bytes: [UInt8]) {
        guard SeenValue(bytes.span)?.form == .transactionReceipt else { return nil }
        self.init(propertyList: OldPropertyList(bytes))
    }

    private init?(propertyList list: OldPropertyList) {
        guard let signature = list["signature"], !signature.isEmpty else {
            // Without it, it is a printed dictionary, such as that of a decoded purchase.
            guard list["purchase-info"] != nil else { return nil }
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
        } else if info["product-id"] == Self.replayedProductID {
            self = .replayedProduct
        } else {
            return nil
        }
    }

    /// Whether a date is 2099-01-01 anywhere in the world, as text or in milliseconds since 1970.
    private static func isFar(_ date: ExactText) -> Bool {
        if date.hasPrefix("2099-01-01") { return true }
        guard let milliseconds = Int64(date.text) else { return false }
        let midnight: Int64 = 4_070_908_800_000
        return (midnight - 14 * 3_600_000..<midnight + 36 * 3_600_000).contains(milliseconds)
    }
}

/// Reads a NeXTSTEP property list, `{ "key" = "value"; }`, to the extent that iOS 6 used it for receipts: texts by key.
private struct OldPropertyList {
    private(set) var entries: [(key: ExactText, value: ExactText)] = []

    var values: [ExactText] { entries.map(\.value) }

    subscript(key: ExactText) -> ExactText? { entries.first { $0.key == key }?.value }

    /// Reads the entries up to the first unreadable one.
    init(_ bytes: [UInt8]) {
        var rest = bytes[...].drop { $0 != UInt8(ascii: "{") }.dropFirst()
        while let key = Self.word(&rest), Self.skip("=", &rest), let value = Self.word(&rest), Self.skip(";", &rest) {
            entries.append((key, value))
        }
    }

    /// Returns a word in quotes, or an unquoted one of letters, digits and similar characters.
    private static func word(_ rest: inout ArraySlice<UInt8>) -> ExactText? {
        rest = rest.drop(while: \.isBlank)
        guard rest.first == UInt8(ascii: "\"") else {
            let word = rest.prefix { !$0.isBlank && !marks.contains($0) }
            rest = rest.dropFirst(word.count)
            return word.isEmpty ? nil : ExactText(String(decoding: word, as: UTF8.self))
        }
        var word: [UInt8] = []
        rest = rest.dropFirst()
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                word.append(escaped)
            } else {
                word.append(byte)
            }
        }
        return ExactText(String(decoding: word, as: UTF8.self))
    }

    private static let marks = Set("=;{}()\",".utf8)

    private static func skip(_ mark: Character, _ rest: inout ArraySlice<UInt8>) -> Bool {
        rest = rest.drop(while: \.isBlank)
        return rest.popFirst() == mark.asciiValue
    }
}
