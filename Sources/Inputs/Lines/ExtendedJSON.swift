import Encodings

/// The values that MongoDB writes as objects: `{"$oid":"…"}`, `{"$date":"…"}`, `{"$date":{"$numberLong":"…"}}`, and
/// `{"$binary":{"base64":"…","subType":"00"}}` (MongoDB Extended JSON, version 2 and the older `{"$binary":"…"}`).
enum ExtendedJSON {
    /// Reads an object of this kind.
    ///
    /// - Parameters:
    ///   - isReceipt: whether octets are meant, which are read in base64, and no other value.
    ///   - arena: the memory of strings with escapes.
    /// - Returns: the text in it, and whether that is a number; `nil` if it is another object or an array.
    static func text(
        _ scanner: inout JSONScanner, isReceipt: Bool, spellingInto arena: inout [UInt8]
    ) -> (text: JSONText, isNumber: Bool)? {
        do throws(JSONError) {
            return try read(&scanner, isReceipt ? octets : values, arena: &arena)
        } catch {
            return nil
        }
    }

    private static let octets = ["$binary"]
    private static let values = [
        "$date", "$oid", "$uuid", "$numberLong", "$numberInt", "$numberDecimal", "$numberDouble",
    ]
    /// The names of members of the object under one of these names.
    private static let inner = ["base64", "$numberLong"]

    private static func read(
        _ scanner: inout JSONScanner, _ names: [String], arena: inout [UInt8], isInner: Bool = false
    ) throws(JSONError) -> (text: JSONText, isNumber: Bool)? {
        try scanner.expect("{")
        guard let name = try name(&scanner, among: names, arena: &arena) else { return nil }
        let text: JSONText
        switch scanner.next() {
        case 0x22: text = try scanner.string(spellingInto: &arena)
        case 0x7b:
            guard !isInner, name == "$date" || name == "$binary",
                let found = try read(&scanner, inner, arena: &arena, isInner: true)
            else { return nil }
            text = found.text
        default:
            // Milliseconds.
            guard name == "$date" else { return nil }
            text = .plain(try scanner.word())
        }
        while scanner.skip(",") {
            _ = try scanner.string(spellingInto: &arena)
            try scanner.expect(":")
            try scanner.skipValue(arena: &arena)
        }
        try scanner.expect("}")
        return (text, name.hasPrefix("$number"))
    }

    /// Reads the first name in an object, and the colon behind it; `nil` if it is none of these.
    private static func name(
        _ scanner: inout JSONScanner, among names: [String], arena: inout [UInt8]
    ) throws(JSONError) -> String? {
        for name in names where scanner.isNext(name) {
            _ = try scanner.string(spellingInto: &arena)
            try scanner.expect(":")
            return name
        }
        return nil
    }
}
