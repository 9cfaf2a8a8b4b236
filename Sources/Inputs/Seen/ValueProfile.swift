public import Encodings

/// What the values of a column or key look like: how many there are of each form, and how long they are.
///
/// It is bounded, whatever the values are, and the sum of two does not depend on their order. A message about an input
/// begins with it.
public struct ValueProfile: Sendable, Equatable, Codable {
    /// The values of one form.
    public struct Row: Sendable, Equatable, Codable {
        public let form: SeenForm
        public let isBase64: Bool
        public package(set) var count = 0
        /// The lengths in bytes, as stored.
        public package(set) var shortest = Int.max
        public package(set) var longest = 0
        /// The smallest distinct texts that may be shown, in order.
        public package(set) var texts: [ExactText] = []

        package init(_ form: SeenForm, isBase64: Bool) { (self.form, self.isBase64) = (form, isBase64) }

        /// Its place among all forms.
        package var place: Int { 2 * (SeenForm.allCases.firstIndex(of: form) ?? 0) + (isBase64 ? 1 : 0) }

        /// An empty row for a place; that of the last form if there is none.
        package init(place: Int) {
            let forms = SeenForm.allCases
            self.init(forms[min(max(0, place / 2), forms.count - 1)], isBase64: place % 2 == 1)
        }

        fileprivate mutating func insert(_ text: ExactText) {
            texts.insertSmallest(text, atMost: ValueProfile.maxTexts)
        }

        fileprivate mutating func add(_ other: Row) {
            count = count.addingSaturating(other.count)
            shortest = min(shortest, other.shortest)
            longest = max(longest, other.longest)
            for text in other.texts { insert(text) }
        }
    }

    /// The forms that occurred, in the order of ``SeenForm``.
    public package(set) var rows: [Row] = []
    /// The number of empty values.
    public package(set) var empty = 0

    private static let maxTexts = 3
    /// The maximum number of characters to show of a text.
    private static let maxLength = 40

    public init() {}

    /// The number of values that are not empty.
    public var count: Int { rows.reduce(0) { $0.addingSaturating($1.count) } }

    /// The most frequent form.
    public var main: Row? { rows.max { ($0.count, $1.place) < ($1.count, $0.place) } }

    /// Examines a value and counts it.
    public mutating func add(_ value: Span<UInt8>) {
        guard let seen = SeenValue(value) else { return empty = empty.addingSaturating(1) }
        add(seen, length: value.count, text: Self.shown(value, seen))
    }

    /// Counts a value that was examined.
    ///
    /// - Parameter text: what may be shown of it.
    public mutating func add(_ seen: SeenValue, length: Int, text: ExactText?) {
        var row = Row(seen.form, isBase64: seen.isBase64)
        row.count = 1
        row.shortest = length
        row.longest = length
        if let text { row.insert(text) }
        add(row)
    }

    private mutating func add(_ row: Row) {
        if let index = rows.firstIndex(where: { $0.place == row.place }) { return rows[index].add(row) }
        rows.insert(row, at: rows.firstIndex { $0.place > row.place } ?? rows.count)
    }

    public static func += (profile: inout Self, other: Self) {
        profile.empty = profile.empty.addingSaturating(other.empty)
        for row in other.rows { profile.add(row) }
    }

    /// Returns what may be shown of a value: a word that stands for nothing, or the keys around a proof. Ids and
    /// proofs are nobody else's business.
    public static func shown(_ value: Span<UInt8>, _ seen: SeenValue) -> ExactText? {
        switch seen.form {
        case .proofInJSON: seen.key
        case .redacted, .placeholder: ExactText(String(repairing: value.withoutBlanks).start(maxLength))
        case .bytes: ExactText(octets(value))
        default: nil
        }
    }

    /// The first octets in hexadecimal: `78 9C 03`.
    private static func octets(_ value: Span<UInt8>) -> String {
        let start = value.extracting(first: 3)
        return start.indices.map { Hex.string(start.extracting($0...$0)).uppercased() }.joined(separator: " ")
    }
}

extension ValueProfile {
    /// What was seen, for a sentence: `12 values, each hexadecimal digits, 8,104 characters`.
    public var seen: String {
        let total = counted(count, "value")
        let blank = empty > 0 ? ", and \(counted(empty, "empty one"))" : ""
        if rows.count == 1, let row = rows.first {
            return total + (count == 1 ? ", " : ", each ") + row.seen + blank
        }
        let most = rows.sorted { ($1.count, $0.place) < ($0.count, $1.place) }.prefix(3)
        let rest = count - most.reduce(0) { $0 + $1.count }
        let parts = most.map { "\($0.count) \($0.count == 1 ? "is" : "are each") \($0.seen)" }
        return total + ": " + (parts + (rest > 0 ? ["\(rest) of other forms"] : [])).joined(separator: "; ") + blank
    }
}

extension ValueProfile.Row {
    /// The noun, the texts that may be shown, and the lengths.
    fileprivate var seen: String {
        let noun = SeenValue(form, isBase64: isBase64).noun
        let named = texts.map { $0.quoted(upTo: 40) }.joined(separator: ", ")
        let shown =
            switch form {
            case _ where texts.isEmpty: ""
            case .proofInJSON: " (under the key \(named))"
            case .bytes: " (the first are \(texts.map(\.text).joined(separator: "; ")))"
            default: " (\(named))"
            }
        let length = shortest == longest ? longest.grouped : "\(shortest.grouped) to \(longest.grouped)"
        return "\(noun)\(shown), \(length) character\(longest == 1 ? "" : "s")"
    }
}
