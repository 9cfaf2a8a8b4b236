import Encodings

/// A JSON object that is no claim itself and holds claims in an array, as API responses do: `{"data":[{…}]}`.
///
/// Read as a claim, it would be a malformed row, and all that it holds would go unseen.
struct ClaimWrapper {
    /// The jq program that writes what is in the array, an object a line.
    let program: String

    /// - Parameter text: the first bytes of an INPUT, which begin with `{`.
    /// - Returns: `nil` if a member of the object is a column, if none is an array of objects, or if there is more
    ///   than one object.
    init?(_ text: Span<UInt8>, _ names: ExportNames) {
        var scanner = JSONValueScanner()
        var found: Range<Int>?
        var key: Range<Int>?
        var start = 0
        for index in text.indices {
            let wasInString = scanner.isInPlainText
            let depth = scanner.depth
            scanner.scan(text[index])
            if depth == 1, !wasInString, scanner.isInPlainText { start = index + 1 }
            if depth == 1, wasInString, !scanner.isInPlainText, text[index] == UInt8(ascii: "\"") {
                key = start..<index
            }
            if depth == 1, text[index] == UInt8(ascii: ":"), !wasInString, let name = key {
                guard names.column(named: text.extracting(name)) == nil else { return nil }
                if found == nil, Self.isArrayOfObjects(text.extracting((index + 1)...)) { found = name }
            }
            guard depth == 0 || scanner.isInside else {
                guard text.extracting((index + 1)...).firstUnblank == nil else { return nil }
                break
            }
        }
        guard let found else { return nil }
        program = Self.program(text.extracting(found))
    }

    private static func isArrayOfObjects(_ text: Span<UInt8>) -> Bool {
        guard let bracket = text.firstUnblank, text[bracket] == UInt8(ascii: "[") else { return false }
        let rest = text.extracting((bracket + 1)...)
        return rest.firstUnblank.map { rest[$0] == UInt8(ascii: "{") } ?? false
    }

    /// - Parameter name: of the array; if a shell or jq could take it for something else, all arrays are meant.
    private static func program(_ name: Span<UInt8>) -> String {
        let isPlain = name.indices.allSatisfy { index in
            let byte = name[index] | 0x20
            return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || name[index] == UInt8(ascii: "_")
        }
        return isPlain && name.count > 0 ? ".\(String(repairing: name))[]" : ".[] | arrays | .[]"
    }
}
