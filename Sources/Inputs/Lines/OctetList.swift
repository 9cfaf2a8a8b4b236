import Encodings

/// Bytes that programs write into JSON as numbers: `[48,130]`, as languages without a form for bytes do, with signs
/// (Java) or without; `{"type":"Buffer","data":[48,130]}` (Node.js); and `{"0":48,"1":130}` (typed arrays of JavaScript).
enum OctetList {
    /// Whether an object that begins with a member may hold bytes: in these forms, or in MongoDB's.
    static func begins(_ member: SeenJSON.Member) -> Bool {
        let name = String(repairing: member.name.span)
        let isNumber = if case .word = member.value { true } else { false }
        return name.hasPrefix("$") || name == "0" && isNumber
            || name == "type" && member.value == .text(Array("Buffer".utf8))
    }

    /// Whether the next value is a list of numbers or one of these objects.
    static func isNext(_ scanner: JSONScanner) -> Bool {
        var ahead = scanner
        if ahead.skip("[") { return ahead.next().map { $0 == 0x2d || (0x30...0x39).contains($0) } ?? false }
        guard ahead.skip("{") else { return false }
        return ahead.isNext("0") || ahead.isNext("type") && ahead.isMember("type", "Buffer")
            || ahead.isMember("data", nil) && ahead.next() == 0x5b
    }

    /// Reads the bytes; `nil` if it is anything else, and the scanner is then somewhere in it.
    static func read(_ scanner: inout JSONScanner, of line: Span<UInt8>) -> [UInt8]? {
        var octets: [UInt8] = []
        var names: [UInt8] = []
        do throws(JSONError) {
            if scanner.next() == 0x5b {
                guard try list(&scanner, of: line, into: &octets) else { return nil }
                return octets
            }
            try scanner.expect("{")
            repeat {
                let isData = scanner.isNext("data")
                let isNext = scanner.isNext("\(octets.count)")
                let isType = scanner.isNext("type")
                _ = try scanner.string(spellingInto: &names)
                try scanner.expect(":")
                if isData, scanner.next() == 0x5b {
                    guard try list(&scanner, of: line, into: &octets) else { return nil }
                } else if isNext {
                    guard try append(&scanner, of: line, to: &octets) else { return nil }
                } else if isType {
                    try scanner.skipValue(arena: &names)
                } else {
                    return nil
                }
            } while scanner.skip(",")
            try scanner.expect("}")
        } catch {
            return nil
        }
        return octets.isEmpty ? nil : octets
    }

    private static func list(
        _ scanner: inout JSONScanner, of line: Span<UInt8>, into octets: inout [UInt8]
    ) throws(JSONError) -> Bool {
        try scanner.expect("[")
        if scanner.skip("]") { return true }
        repeat { guard try append(&scanner, of: line, to: &octets) else { return false } } while scanner.skip(",")
        try scanner.expect("]")
        return true
    }

    /// Appends a number from -128 to 255.
    private static func append(
        _ scanner: inout JSONScanner, of line: Span<UInt8>, to octets: inout [UInt8]
    ) throws(JSONError) -> Bool {
        let word = line.extracting(try scanner.word())
        let isNegative = word.count > 0 && word[0] == 0x2d
        var value = 0
        guard (1...4).contains(word.count), word.count > (isNegative ? 1 : 0) else { return false }
        for index in (isNegative ? 1 : 0)..<word.count {
            guard (0x30...0x39).contains(word[index]) else { return false }
            value = 10 * value + Int(word[index] & 0xf)
        }
        guard isNegative ? value <= 128 : value <= 255 else { return false }
        octets.append(UInt8(truncatingIfNeeded: isNegative ? -value : value))
        return true
    }
}

extension JSONScanner {
    /// Whether the next member has this name, and this text if one is given. Reads it if the name is the right one.
    fileprivate mutating func isMember(_ name: String, _ text: String?) -> Bool {
        var ahead = self
        var arena: [UInt8] = []
        guard ahead.isNext(name), (try? ahead.string(spellingInto: &arena)) != nil, ahead.skip(":") else {
            return false
        }
        self = ahead
        return text.map { self.isNext($0) } ?? true
    }
}
