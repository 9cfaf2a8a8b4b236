import Encodings
import Inputs

/// The property list of NeXTSTEP, `{ "key" = "value"; }`, as far as iOS 6 used it for receipts: text under text.
struct OldPropertyList {
    private(set) var entries: [(key: ExactText, value: ExactText)] = []

    var values: [ExactText] { entries.map(\.value) }

    subscript(key: ExactText) -> ExactText? { entries.first { $0.key == key }?.value }

    /// Reads what can be read; what comes after the first thing that cannot is left out.
    init(_ bytes: [UInt8]) {
        var rest = bytes[...].drop { $0 != UInt8(ascii: "{") }.dropFirst()
        while let key = Self.word(&rest), Self.skip("=", &rest), let value = Self.word(&rest), Self.skip(";", &rest) {
            entries.append((key, value))
        }
    }

    /// A word in quotes, or one of letters, digits and the like.
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
