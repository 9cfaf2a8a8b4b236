import Encodings

/// The shape of the first bytes of JSON: whether objects are claims, and how they are arranged.
///
/// If an object that wraps claims were read as a claim, it would be a malformed row, and its content would go unseen.
struct JSONShape {
    /// Whether an object that is read as a claim names a column.
    private(set) var hasColumns = false
    /// Whether columns hold arrays or objects of texts, and none is a text, as if each column had all of its cells.
    var isByColumns: Bool { hasGroupedColumns && !hasTextColumns }
    private var hasGroupedColumns = false
    private var hasTextColumns = false
    /// The number of members with proofs that are not columns.
    private(set) var proofsUnderOtherNames = 0
    /// The number of consecutive values that have begun, and whether the last one has ended.
    private(set) var values = 0
    private(set) var hasEnded = false
    /// Whether there is a member's name, as in JSON.
    private(set) var hasMembers = false
    /// Whether an object that is read as a claim has a proof, or the name of its file.
    private(set) var namesProof = false
    /// The jq program that unwraps the first array of the outermost object; `nil` without such an array.
    var program: String? { wrapped.map { ClaimSearch.member($0.span).map { "\($0)[]" } ?? ".[] | arrays | .[]" } }

    /// The kinds of the open objects and arrays: true for objects.
    private var frames: [Bool] = []
    private var isArray = false
    private var wrapped: [UInt8]?
    private static let maxDepth = 64

    /// - Parameter text: the first bytes of an INPUT, which begin with `{` or `[`.
    init(_ text: Span<UInt8>, _ names: ExportNames) {
        isArray = text.count > 0 && text[0] == UInt8(ascii: "[")
        var scanner = JSONValueScanner()
        var start = 0
        var last: Range<Int>?
        for index in text.indices {
            let byte = text[index]
            let (wasInString, wasInText) = (scanner.isInString, scanner.isInPlainText)
            scanner.scan(byte)
            if wasInString {
                if wasInText, !scanner.isInString { last = start..<index }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): start = index + 1
            case UInt8(ascii: ":"):
                guard let name = last, frames.last == true, frames.count <= Self.maxDepth else { continue }
                note(name, text.extracting((index + 1)...), text, names)
                last = nil
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if frames.isEmpty { values += 1 }
                hasEnded = false
                guard frames.count < Self.maxDepth else { return }
                frames.append(byte == UInt8(ascii: "{"))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = frames.popLast()
                hasEnded = frames.isEmpty
            default: if frames.isEmpty, !byte.isBlank { hasEnded = false }
            }
        }
    }

    /// Whether an object or array is open.
    var isInside: Bool { !frames.isEmpty }

    /// Whether members of the current object belong to a claim.
    private var isClaim: Bool { frames.count == (isArray ? 2 : 1) }

    private mutating func note(
        _ name: Range<Int>, _ rest: Span<UInt8>, _ text: Span<UInt8>, _ names: ExportNames
    ) {
        hasMembers = true
        let value = rest.firstUnblank.map { rest[$0] }
        if frames.count == 1, wrapped == nil, value == UInt8(ascii: "["), Self.isOfObjects(rest) {
            wrapped = text.extracting(name).copy()
        }
        guard isClaim else { return }
        guard let known = names.column(named: text.extracting(name)) else {
            if Self.isProof(rest) { proofsUnderOtherNames += 1 }
            return
        }
        let isText = value != UInt8(ascii: "{") && value != UInt8(ascii: "[")
        // MongoDB writes bytes and dates as objects.
        let isExtended = Self.isExtended(rest)
        if known.column == .receiptData || known.column == .file {
            namesProof = namesProof || isExtended || isText && !Self.isNothing(rest)
        }
        hasTextColumns = hasTextColumns || isText || isExtended
        hasGroupedColumns = hasGroupedColumns || Self.isOfTexts(rest, names)
        hasColumns = hasColumns || isText || known.rank != .alias
    }

    /// Whether a value is null, or a blank text.
    private static func isNothing(_ value: Span<UInt8>) -> Bool {
        guard let start = value.firstUnblank else { return false }
        guard value[start] == UInt8(ascii: "\"") else { return value[start] == UInt8(ascii: "n") }
        let text = value.extracting((start + 1)...)
        return text.firstUnblank.map { text[$0] == UInt8(ascii: "\"") } ?? false
    }

    /// Whether a value is a text that begins like a proof.
    private static func isProof(_ value: Span<UInt8>) -> Bool {
        guard let quote = value.firstUnblank, value[quote] == UInt8(ascii: "\"") else { return false }
        let start = value.extracting((quote + 1)...)
        return start.count > 0 && ProofStart.begins(start.extracting(..<min(start.count, ProofStart.length)))
    }

    /// Whether a value is an object whose first name begins with `$`.
    private static func isExtended(_ value: Span<UInt8>) -> Bool {
        guard let brace = value.firstUnblank, value[brace] == UInt8(ascii: "{") else { return false }
        let members = value.extracting((brace + 1)...)
        return members.firstUnblank.map { members.starts(with: Array("\"$".utf8), at: $0) } ?? false
    }

    /// Whether a value is an array or object whose first value is neither, under a name that is not a column's.
    private static func isOfTexts(_ value: Span<UInt8>, _ names: ExportNames) -> Bool {
        guard let bracket = value.firstUnblank else { return false }
        let rest = value.extracting((bracket + 1)...)
        guard value[bracket] != UInt8(ascii: "[") else { return isText(rest) }
        guard value[bracket] == UInt8(ascii: "{"), let quote = rest.firstUnblank,
            let colon = rest.firstIndex(of: UInt8(ascii: ":")), quote + 1 < colon,
            let end = rest.firstIndex(of: UInt8(ascii: "\""), from: quote + 1), end < colon
        else { return false }
        return names.column(named: rest.extracting((quote + 1)..<end)) == nil && isText(rest.extracting((colon + 1)...))
    }

    private static func isText(_ value: Span<UInt8>) -> Bool {
        value.firstUnblank.map { !Array("{[]".utf8).contains(value[$0]) } ?? false
    }

    private static func isOfObjects(_ text: Span<UInt8>) -> Bool {
        guard let bracket = text.firstUnblank else { return false }
        let rest = text.extracting((bracket + 1)...)
        return rest.firstUnblank.map { rest[$0] == UInt8(ascii: "{") } ?? false
    }
}

/// Finds the ends of JSON objects and arrays without reading their members.
struct JSONValueScanner {
    /// The number of open objects and arrays.
    private(set) var depth = 0
    private(set) var isInString = false
    private var isEscaped = false

    /// Whether a string, object or array is open.
    var isInside: Bool { depth > 0 || isInString }

    /// Whether the next byte belongs to a string, and is not escaped.
    var isInPlainText: Bool { isInString && !isEscaped }

    /// Scans the next byte.
    mutating func scan(_ byte: UInt8) {
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth = max(0, depth - 1)
        default: break
        }
    }
}
