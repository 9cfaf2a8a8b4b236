public import Encodings

/// Lists the members of a token's payload, for display: known and unknown ones, in the payload's order.
public struct PayloadListing: Sendable {
    /// One member, or one of an object inside another.
    public struct Member: Sendable {
        /// The path of names, joined by dots: `data.bundleId`. Elements of arrays are named by their number, from 0.
        public let name: ExactText
        public let value: Value
    }

    /// The value of a member.
    public enum Value: Sendable {
        case null
        case bool(Bool)
        /// As it is written.
        case number(ExactText)
        /// A number of milliseconds since 1970, by the member's name.
        case date(Instant, written: ExactText)
        case text(ExactText)
        /// A string with two dots: a token inside this one.
        case token(ExactText)
        /// An object or array without members.
        case empty
    }

    public private(set) var members: [Member] = []

    /// Lists a payload; `nil` if it is not JSON.
    public init?(of payload: [UInt8]) {
        guard let document = try? JSONDocument(payload, maxDepth: Token.maxDepth) else { return nil }
        append(document, JSONDocument.root, named: "")
    }

    private mutating func append(_ document: JSONDocument, _ index: Int, named path: String) {
        let name = ExactText(path)
        switch document.kind(index) {
        case .null: members.append(Member(name: name, value: .null))
        case .bool: members.append(Member(name: name, value: .bool(document.text(index) == "true")))
        case .number:
            let text = document.text(index)
            let date = Self.isDate(path) ? Instant(tokenDate: text) : nil
            members.append(Member(name: name, value: date.map { .date($0, written: text) } ?? .number(text)))
        case .string:
            let text = document.text(index)
            let isToken = text.utf8.count { $0 == UInt8(ascii: ".") } == 2 && text.hasPrefix("ey")
            members.append(Member(name: name, value: isToken ? .token(text) : .text(text)))
        case .object, .array:
            let isObject = document.kind(index) == .object
            var count = 0
            for child in document.children(of: index) {
                let part = isObject ? document.name(child).text : String(count)
                append(document, child, named: path.isEmpty ? part : "\(path).\(part)")
                count += 1
            }
            if count == 0 { members.append(Member(name: name, value: .empty)) }
        }
    }

    /// Whether a member holds milliseconds: all of Apple's that do are named so.
    private static func isDate(_ path: String) -> Bool { path.utf8.suffix(4).elementsEqual("Date".utf8) }
}

extension Instant {
    /// Reads a date of a token: milliseconds since 1970, rounded down, as Xcode's are fractional; `nil` if that is beyond
    /// the range.
    init?(tokenDate text: ExactText) {
        if let whole = Int64(text.text) {
            self.init(milliseconds: whole)
        } else {
            guard let number = Double(text.text), let whole = Int64(exactly: number.rounded(.down)) else { return nil }
            self.init(milliseconds: whole)
        }
    }
}
