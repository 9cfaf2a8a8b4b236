public import Encodings

/// Lists the members of a token's payload, for display: known and unknown ones, in the payload's order.
public struct PayloadListing: Sendable {
    /// One member, or one of an object inside another.
    public struct Member: Sendable {
        /// The path of names, joined by dots: `data.bundleId`. Elements of arrays are named by their number, from 0.
        public let name: ExactText
        public let value: Value
        /// The part of it that this version does not know; `nil` if it knows member and value.
        public let unknown: Unknown?
    }

    /// The part of a member that is not known.
    public enum Unknown: String, Sendable {
        /// Its name, or the name of an enclosing object.
        case member
        /// Its value, or the type of the value.
        case value
    }

    /// The value of a member.
    public enum Value: Sendable {
        case null
        case bool(Bool)
        /// A number as written.
        case number(ExactText)
        /// A number of milliseconds since 1970, recognized by the member's name.
        case date(Instant, written: ExactText)
        case text(ExactText)
        /// A token inside this one.
        case token(ExactText)
        /// An object or array without members.
        case empty
    }

    public private(set) var members: [Member] = []
    /// The table for the payload's kind; `nil` if the kind is not known, so that nothing is reported as unknown.
    private let table: PayloadTable?

    /// Lists a payload; `nil` if it is not JSON.
    public init?(of payload: [UInt8]) {
        guard let document = try? JSONDocument(payload, maxDepth: Token.maxDepth) else { return nil }
        table = PayloadValue(document).tokenKind.map { PayloadTable.of($0) }
        append(document, JSONDocument.root, named: "", table == nil ? .other : .object(PayloadTable.root))
    }

    /// The position of a value in the table.
    private enum Place {
        /// In a value that the table does not describe.
        case other
        /// Not in the table.
        case unknown(Unknown)
        /// An object whose members have this parent in the table.
        case object(Int)
        /// The value of a member.
        case member(Int)
    }

    private mutating func append(_ document: JSONDocument, _ index: Int, named path: String, _ place: Place) {
        let place = self.place(of: PayloadValue(document, index), place)
        var unknown: Unknown?
        if case .unknown(let found) = place { unknown = found }
        let add = { (value: Value, listing: inout PayloadListing) in
            listing.members.append(Member(name: ExactText(path), value: value, unknown: unknown))
        }
        switch document.kind(index) {
        case .null: add(.null, &self)
        case .bool: add(.bool(document.text(index) == "true"), &self)
        case .number:
            let text = document.text(index)
            let date = Self.isDate(path) ? Instant(tokenDate: text) : nil
            add(date.map { .date($0, written: text) } ?? .number(text), &self)
        case .string:
            let text = document.text(index)
            add(document.octets(index).isSignedToken ? .token(text) : .text(text), &self)
        case .object, .array:
            let isObject = document.kind(index) == .object
            var count = 0
            for child in document.children(of: index) {
                let part = isObject ? document.name(child).text : String(count)
                var inside = place
                if isObject, case .object(let parent) = place, let table {
                    let number = table.number(of: document.nameOctets(child), in: parent)
                    inside = number.map { .member($0) } ?? .unknown(.member)
                }
                append(document, child, named: path.isEmpty ? part : "\(path).\(part)", inside)
                count += 1
            }
            if count == 0 { add(.empty, &self) }
        }
    }

    /// Returns the place of a member's value: inside an object, or unknown.
    private func place(of value: PayloadValue, _ place: Place) -> Place {
        guard case .member(let number) = place, let table, value.kind != .null else { return place }
        let member = table.members[number]
        guard member.accepts(value.kind), member.knows(value) else { return .unknown(.value) }
        switch member.form {
        case .object, .objects: return .object(number)
        case .text, .uuid, .number, .date, .flag, .texts, .token: return .other
        }
    }

    /// Whether a member holds milliseconds: all of Apple's names for such members have this suffix.
    private static func isDate(_ path: String) -> Bool { path.utf8.suffix(4).elementsEqual("Date".utf8) }
}

extension Instant {
    /// Reads a token's date: milliseconds since 1970, rounded down, because Xcode's are fractional; `nil` if it is out
    /// of range.
    init?(tokenDate text: ExactText) {
        if let whole = Int64(text.text) {
            self.init(milliseconds: whole)
        } else {
            guard let number = Double(text.text), let whole = Int64(exactly: number.rounded(.down)) else { return nil }
            self.init(milliseconds: whole)
        }
    }
}
