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
