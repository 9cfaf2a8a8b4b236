import Encodings

/// What the first bytes of JSON hold: whether objects are claims, or where others hold claims inside.
///
/// Read as a claim, an object that wraps claims would be a malformed row, and all that it holds would go unseen.
struct JSONShape {
    /// Whether an object that is read as a claim names a column.
    private(set) var hasColumns = false
    /// Whether columns hold arrays or objects of texts, and none is a text: as where each column has all of its cells.
    var isByColumns: Bool { hasGroupedColumns && !hasTextColumns }
    private var hasGroupedColumns = false
    private var hasTextColumns = false
    /// How many members that are no columns hold proofs.
    private(set) var proofsUnderOtherNames = 0
    /// How many values stand one after the other, that have begun, and whether the last one has ended.
    private(set) var values = 0
    private(set) var hasEnded = false
    /// Whether a name of a member is there, as in JSON.
    private(set) var hasMembers = false
    /// The jq program that writes the claims in other objects, an object a line; `nil` if there are none.
    private(set) var program: String?
    /// Whether the program was made from a place where a receipt is, and not of an array of any objects.
    private(set) var holdsReceipts = false

    /// An object or array around the current byte, and the last name of a member in it.
    private struct Frame {
        let isObject: Bool
        var name: Range<Int>?
    }

    private var frames: [Frame] = []
    private var isArray = false
    private var found: [Step]?
    /// The name of the first receipt in other objects.
    private var key: Range<Int>?
    private var wrapped: Range<Int>?
    private static let maxDepth = 64

    private enum Step: Equatable {
        case member(Range<Int>)
        case each
    }

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
                guard let name = last, frames.last?.isObject == true, frames.count <= Self.maxDepth else { continue }
                frames[frames.count - 1].name = name
                note(name, text.extracting((index + 1)...), text, names)
                last = nil
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if frames.isEmpty { values += 1 }
                hasEnded = false
                guard frames.count < Self.maxDepth else { return }
                frames.append(Frame(isObject: byte == UInt8(ascii: "{")))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = frames.popLast()
                hasEnded = frames.isEmpty
            default: if frames.isEmpty, !byte.isBlank { hasEnded = false }
            }
        }
        program = makeProgram(text, names)
    }

    /// Whether an object or array has begun and not ended.
    var isInside: Bool { !frames.isEmpty }

    /// Whether members of the current object are those of a claim.
    private var isClaim: Bool { frames.count == (isArray ? 2 : 1) }

    private mutating func note(
        _ name: Range<Int>, _ rest: Span<UInt8>, _ text: Span<UInt8>, _ names: ExportNames
    ) {
        hasMembers = true
        let value = rest.firstUnblank.map { rest[$0] }
        if frames.count == 1, wrapped == nil, value == UInt8(ascii: "["), Self.isOfObjects(rest) { wrapped = name }
        guard let known = names.column(named: text.extracting(name)) else {
            if isClaim, Self.isProof(rest) { proofsUnderOtherNames += 1 }
            return
        }
        let (column, rank) = (known.column, known.rank)
        let isText = value != UInt8(ascii: "{") && value != UInt8(ascii: "[")
        if isClaim {
            // MongoDB writes octets and dates as objects.
            hasTextColumns = hasTextColumns || isText || Self.isExtended(rest)
            hasGroupedColumns = hasGroupedColumns || Self.isOfTexts(rest, names)
            return hasColumns = hasColumns || isText || rank != .alias
        }
        guard column == .receiptData, isText else { return }
        let steps = frames.dropLast().map { frame in frame.name.map { Step.member($0) } ?? .each }
        guard let earlier = found else { return (found, key) = (steps, name) }
        // The second of several objects under names of their own.
        guard earlier.count == steps.count else { return }
        found = zip(earlier, steps).map { first, second in
            guard case .member(let a) = first, case .member(let b) = second,
                text.extracting(a).isSame(as: text.extracting(b))
            else { return .each }
            return first
        }
    }

    /// Whether a value is a text that begins as a proof does.
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

    /// Whether a value is an array or object whose first value is neither, under a name that is no column's.
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

    private mutating func makeProgram(_ text: Span<UInt8>, _ names: ExportNames) -> String? {
        guard let found else {
            return wrapped.map { Self.name(text.extracting($0)).map { ".\($0)[]" } ?? ".[] | arrays | .[]" }
        }
        holdsReceipts = true
        var program = ""
        for step in found {
            switch step {
            case .each: program += program.isEmpty ? ".[]" : "[]"
            case .member(let range):
                // What a shell or jq could take for something else is found by what it holds.
                guard let name = Self.name(text.extracting(range)) else {
                    let key = key.flatMap { Self.name(text.extracting($0)) } ?? "receipt_data"
                    return ".. | objects | select(.\(key))"
                }
                program += "." + name
            }
        }
        return program
    }

    private static func name(_ name: Span<UInt8>) -> String? {
        let isPlain = name.indices.allSatisfy { index in
            let byte = name[index] | 0x20
            return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || name[index] == UInt8(ascii: "_")
        }
        return isPlain && name.count > 0 ? String(repairing: name) : nil
    }
}

/// Finds the ends of JSON objects and arrays without reading their members.
struct JSONValueScanner {
    /// How many objects and arrays have begun and not ended.
    private(set) var depth = 0
    private(set) var isInString = false
    private var isEscaped = false

    /// Whether a string, object or array has begun and not ended.
    var isInside: Bool { depth > 0 || isInString }

    /// Whether the next byte is one of a string, and no escaped one.
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
