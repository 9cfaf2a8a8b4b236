public import Encodings

/// Finds the tokens in a text of evidence in the forms in which companies store it: a token by itself, or notifications
/// and answers of the App Store Server API in JSON, in a row of a table, in the wrappers of queues, streams and
/// databases, and in strings of JSON or base64 of it.
///
/// Every string that is a token counts, under any name. A hostile text costs a few times as much as one without strings
/// of JSON, because each string is read once.
public struct EvidenceText: Sendable {
    /// The names of members that hold a token, or an array of tokens.
    public static let names: [ExactText] = [
        "signedPayload", "signedTransactionInfo", "signedRenewalInfo", "signedTransactions", "signedAppTransactionInfo",
    ]
    /// The names of arrays that are empty if Apple's server has nothing to report.
    private static let lists = ["signedTransactions", "notificationHistory", "lastTransactions", "data"].map {
        Array($0.utf8)
    }
    /// The maximum nesting of objects and arrays around a token, including those in strings.
    private static let maxDepth = 8
    /// The maximum nesting of strings.
    private static let maxLayers = 8
    /// The maximum number of values in a text. A page of the API has some hundred.
    private static let maxValues = 1 << 20
    /// The same, and the number of bytes, for JSON in a string.
    private static let maxInnerValues = 1 << 16
    private static let maxInnerSize = 4 << 20

    /// The tokens, in order.
    public private(set) var tokens: [[UInt8]] = []
    /// The reason why tokens may be missing; `nil` if everything was read.
    public private(set) var fault: EvidenceFault?
    /// Whether it is empty on purpose, like an empty page of the API.
    public var isEmpty: Bool { tokens.isEmpty && fault == nil }

    private var isStatedEmpty = false

    /// Reads a text that is not a row of a table.
    public init(_ text: [UInt8]) { self.init(text, columns: nil) }

    /// Reads a text of a block.
    public init(_ item: EvidenceBlock.Item) { self.init(item.text, columns: item.columns) }

    init(_ text: [UInt8], columns: EvidenceColumns?) {
        let trimmed = text.span.withoutBlanks
        if let columns {
            let cells = columns.cells(of: trimmed)
            for (index, cell) in cells.enumerated() {
                add(cell.span, isNamed: columns.isNamed(index) && !cell.span.isNothing, 0, 0)
            }
            if tokens.isEmpty, !isStatedEmpty { addRuns(of: trimmed) }
            if tokens.isEmpty, !isStatedEmpty, fault == nil, cells.contains(where: { $0.span.mayHoldToken }) {
                fault = EvidenceFault(reason: "a row without a signed token")
            }
        } else if trimmed.opensJSON {
            addJSON(trimmed)
        } else {
            add(trimmed, isNamed: false, 0, 0)
            if tokens.isEmpty, fault == nil, !isStatedEmpty { addRuns(of: trimmed) }
            // It is checked as it is.
            if tokens.isEmpty, fault == nil, !isStatedEmpty { tokens.append(trimmed.copy()) }
        }
    }

    /// Whether a name is one of ``names``, in any case and spelling.
    package static func isName(_ name: Span<UInt8>) -> Bool { names.contains { name.isSameName(as: $0.utf8.span) } }

    /// Adds the tokens of JSON, or the tokens found in malformed JSON.
    private mutating func addJSON(_ text: Span<UInt8>) {
        do throws(JSONError) {
            let document = try JSONDocument(text.copy(), maxDepth: 64, maxValues: Self.maxValues)
            add(document, JSONDocument.root, isNamed: false, 0, 0)
            if document.children(of: JSONDocument.root).first(where: { _ in true }) == nil { isStatedEmpty = true }
            if tokens.isEmpty, !isStatedEmpty, fault == nil, Self.hasContent(document) {
                fault = EvidenceFault(reason: "JSON without a signed token")
            }
        } catch {
            addRuns(of: text)
            // Reads all of several consecutive objects.
            if case .leftOver = error, !tokens.isEmpty { return }
            fault = EvidenceFault(reason: error.description)
        }
    }

    /// Whether it has more content than an empty queue or a deleted record: these have empty lists and objects, numbers
    /// and flags, and empty strings.
    private static func hasContent(_ document: JSONDocument, _ index: Int = JSONDocument.root) -> Bool {
        switch document.kind(index) {
        case .string: !document.octets(index).isNothing
        case .object:
            document.children(of: index).contains { child in
                switch document.kind(child) {
                case .number, .bool: false
                case .null: isName(document.nameOctets(child))
                case .string, .object, .array: hasContent(document, child)
                }
            }
        case .array: document.children(of: index).contains { hasContent(document, $0) }
        case .null: false
        case .bool, .number: true
        }
    }

    private mutating func add(
        _ document: JSONDocument, _ index: Int, isNamed: Bool, _ depth: Int, _ layer: Int
    ) {
        switch document.kind(index) {
        case .string: add(document.octets(index), isNamed: isNamed, depth, layer)
        case .object, .array:
            guard depth <= Self.maxDepth else {
                if document.octets(index).firstIndex(of: Self.mark, from: 0) != nil {
                    fault = EvidenceFault(reason: "a token under more than \(Self.maxDepth) objects and arrays")
                }
                return
            }
            let isObject = document.kind(index) == .object
            for child in document.children(of: index) {
                let name = isObject ? document.name(child) : ""
                let isKnown = isObject ? Self.isName(name.utf8.span) : isNamed
                if isObject, document.kind(child) == .array,
                    Self.lists.contains(where: { name.utf8.span.isSameName(as: $0.span) }),
                    document.children(of: child).first(where: { _ in true }) == nil
                {
                    isStatedEmpty = true
                }
                add(document, child, isNamed: isKnown, depth + 1, layer)
            }
        case .null, .bool, .number: break
        }
    }

    /// Adds a string, or the tokens in it.
    ///
    /// - Parameter isNamed: whether it has the name of a token, so that it is checked whatever it is.
    private mutating func add(_ text: Span<UInt8>, isNamed: Bool, _ depth: Int, _ layer: Int) {
        let text = text.withoutBlanks
        guard text.count > 0 else { return }
        if text.isToken { return tokens.append(text.copy()) }
        let count = tokens.count
        addInner(text, depth, layer)
        if isNamed, tokens.count == count { tokens.append(text.copy()) }
    }

    /// Adds the tokens of a string of JSON, or of base64 or hexadecimal of JSON or of a token.
    private mutating func addInner(_ text: Span<UInt8>, _ depth: Int, _ layer: Int) {
        let isJSON = text.opensJSON || text[0] == UInt8(ascii: "\"") && text.count > 1
        let inner = isJSON ? text.copy() : text.decodedEvidence
        guard let inner else { return }
        guard layer < Self.maxLayers, inner.count <= Self.maxInnerSize else {
            return fault = EvidenceFault(reason: "a string over 4 MiB, or in more than \(Self.maxLayers) others")
        }
        guard isJSON || inner.span.withoutBlanks.opensJSON else {
            return add(inner.span, isNamed: false, depth, layer + 1)
        }
        do throws(JSONError) {
            let document = try JSONDocument(inner, maxDepth: 64, maxValues: Self.maxInnerValues)
            add(document, JSONDocument.root, isNamed: false, depth, layer + 1)
        } catch {
            addRuns(of: inner.span)
        }
    }

    /// Adds everything that looks like a token anywhere in other text, except in authorization headers.
    private mutating func addRuns(of text: Span<UInt8>) {
        var position = 0
        while let start = text.firstIndex(of: Self.mark, from: position) {
            var end = start
            while end < text.count, text[end].isTokenByte { end += 1 }
            let isWhole = start == 0 || !text[start - 1].isTokenByte
            let isBearer = start >= 7 && text.extracting((start - 7)..<start).isLowercased(Array("bearer ".utf8))
            let run = text.extracting(start..<end)
            if isWhole, !isBearer, run.isToken { tokens.append(run.copy()) }
            position = end
        }
    }

    /// Base64url of `{"`, the beginning of each token.
    private static let mark = Array("eyJ".utf8)
}

/// The reason why a text of evidence has no token, or more than were found.
public struct EvidenceFault: Error, Equatable, Sendable {
    /// In words for a person.
    public let reason: String
}

extension UInt8 {
    /// Whether it is a digit of base64url, a dot, or padding.
    fileprivate var isTokenByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x3d, 0x5f: true
        default: false
        }
    }
}

extension Span<UInt8> {
    /// Whether an object or an array begins.
    fileprivate var opensJSON: Bool { count > 0 && (self[0] == UInt8(ascii: "{") || self[0] == UInt8(ascii: "[")) }

    /// Whether a cell is as long as a token, or begins like one or like JSON. A token has three certificates.
    fileprivate var mayHoldToken: Bool {
        let text = withoutBlanks
        return text.count >= 200 || text.starts(with: Array("eyJ".utf8)) || text.starts(with: [0x7b])
    }

    /// Whether a cell is empty or a placeholder.
    fileprivate var isNothing: Bool {
        let text = withoutBlanks
        return text.count == 0 || Placeholder.matches(text) || text.isSame(as: Array("\\N".utf8).span)
    }

    /// Whether this looks like a JWS in compact serialization.
    fileprivate var isToken: Bool {
        tokenParts.map { $0.dots == 2 && $0.last > 0 } ?? false
    }

    /// Whether this begins like a token and ends within its signature, which has 86 digits (ES256).
    var isCutToken: Bool {
        tokenParts.map { $0.dots < 2 || $0.dots == 2 && $0.last < 86 } ?? false
    }

    /// The number of dots in text that begins like a token, and of bytes after the last one; `nil` if it has other
    /// characters.
    private var tokenParts: (dots: Int, last: Int)? {
        guard starts(with: Array("eyJ".utf8)) else { return nil }
        var (dots, last) = (0, 0)
        for index in indices {
            guard self[index].isTokenByte else { return nil }
            last = self[index] == UInt8(ascii: ".") ? 0 : last + 1
            if self[index] == UInt8(ascii: ".") { dots += 1 }
        }
        return (dots, last)
    }

    /// The decoded JSON or token, from base64 or hexadecimal; `nil` if this is neither.
    fileprivate var decodedEvidence: [UInt8]? {
        var octets: [UInt8] = []
        switch self[0] {
        case UInt8(ascii: "e"), UInt8(ascii: "W"), UInt8(ascii: "I"), UInt8(ascii: "C"), UInt8(ascii: "Z"):
            guard count >= 8, Base64.decode(self, into: &octets) else { return nil }
        case UInt8(ascii: "\\"), UInt8(ascii: "0"):
            guard count > 8, count.isMultiple(of: 2), self[1] | 0x20 == UInt8(ascii: "x") else { return nil }
            for index in stride(from: 2, to: count, by: 2) {
                guard let high = Hex.value(self[index]), let low = Hex.value(self[index + 1]) else { return nil }
                octets.append(high << 4 | low)
            }
        default: return nil
        }
        let inner = octets.span.withoutBlanks
        return inner.opensJSON || inner.starts(with: Array("eyJ".utf8)) ? octets : nil
    }
}
