/// Reads JSON (RFC 8259) from the front of one line, strictly, without building anything.
///
/// The line must be UTF-8; that is for the caller to see to.
package struct JSONScanner: ~Escapable {
    private let text: Span<UInt8>
    package private(set) var position = 0

    /// Deeper than this no value is followed: the stack is not a stranger's to use up.
    private static let deepest = 128

    @_lifetime(copy text)
    package init(_ text: Span<UInt8>) { self.text = text }

    /// The next byte that is not blank, still to be read.
    package mutating func next() -> UInt8? {
        while position < text.count, [0x20, 0x09, 0x0a, 0x0d].contains(text[position]) { position += 1 }
        return position < text.count ? text[position] : nil
    }

    /// Reads this sign, if it is the next one.
    package mutating func skip(_ sign: Unicode.Scalar) -> Bool {
        guard let byte = next(), UInt32(byte) == sign.value else { return false }
        position += 1
        return true
    }

    /// Reads this sign, or throws.
    package mutating func expect(_ sign: Unicode.Scalar) throws(JSONError) {
        guard skip(sign) else { throw .unexpected(at: position, wanted: "\(sign)") }
    }

    /// Reads a string. What has escapes is spelled out at the end of `arena`.
    package mutating func string(spellingInto arena: inout ByteArena) throws(JSONError) -> JSONText {
        try expect("\"")
        let start = position
        skipPlain()
        if position < text.count, text[position] == 0x22 {
            position += 1
            return .plain(start..<(position - 1))
        }
        let spelled = arena.count
        var run = start
        while position < text.count, text[position] == 0x5c {
            arena.append(text.extracting(run..<position))
            position += 1
            try spellEscape(into: &arena)
            run = position
            skipPlain()
        }
        guard position < text.count else { throw .endsInside }
        guard text[position] == 0x22 else {
            throw .unexpected(at: position, wanted: "no control character in a string")
        }
        arena.append(text.extracting(run..<position))
        position += 1
        return .spelled(spelled..<arena.count)
    }

    /// Reads a value that is one word: a number, true, false or null.
    package mutating func word() throws(JSONError) -> Range<Int> {
        let first = next()
        let start = position
        switch first {
        case 0x74: try literal("true")
        case 0x66: try literal("false")
        case 0x6e: try literal("null")
        default: try number()
        }
        return start..<position
    }

    /// Reads any value and forgets it.
    package mutating func skipValue(_ depth: Int = 0, arena: inout ByteArena) throws(JSONError) {
        guard depth < Self.deepest else { throw .tooDeep }
        switch next() {
        case 0x22:
            let count = arena.count
            _ = try string(spellingInto: &arena)
            arena.cut(at: count)
        case 0x7b:
            position += 1
            if skip("}") { return }
            repeat {
                let count = arena.count
                _ = try string(spellingInto: &arena)
                arena.cut(at: count)
                try expect(":")
                try skipValue(depth + 1, arena: &arena)
            } while skip(",")
            try expect("}")
        case 0x5b:
            position += 1
            if skip("]") { return }
            repeat { try skipValue(depth + 1, arena: &arena) } while skip(",")
            try expect("]")
        default: _ = try word()
        }
    }

    /// Reads the next byte, blank or not.
    mutating func nextByte() -> UInt8? {
        guard position < text.count else { return nil }
        defer { position += 1 }
        return text[position]
    }

    /// Goes on to the end of the string, or to the first byte that needs a closer look.
    private mutating func skipPlain() {
        while text.count - position >= 32 {
            let block = text.extracting(position..<(position + 32))
            var special: UInt8 = 0
            for index in 0..<32 {
                let byte = block[index]
                special |= (byte == 0x22 ? 1 : 0) | (byte == 0x5c ? 1 : 0) | (byte < 0x20 ? 1 : 0)
            }
            guard special == 0 else { break }
            position += 32
        }
        while position < text.count, text[position] != 0x22, text[position] != 0x5c, text[position] >= 0x20 {
            position += 1
        }
    }

    private mutating func literal(_ word: StaticString) throws(JSONError) {
        let start = position
        for scalar in "\(word)".utf8 {
            guard position < text.count, text[position] == scalar else {
                throw .unexpected(at: start, wanted: "a value")
            }
            position += 1
        }
    }

    private mutating func number() throws(JSONError) {
        let start = position
        if position < text.count, text[position] == 0x2d { position += 1 }
        let isZero = position < text.count && text[position] == 0x30
        let digits = skipDigits()
        guard digits > 0, digits == 1 || !isZero else { throw .unexpected(at: start, wanted: "a value") }
        if position < text.count, text[position] == 0x2e {
            position += 1
            guard skipDigits() > 0 else { throw .unexpected(at: position, wanted: "a digit") }
        }
        guard position < text.count, text[position] | 0x20 == 0x65 else { return }
        position += 1
        if position < text.count, text[position] == 0x2b || text[position] == 0x2d { position += 1 }
        guard skipDigits() > 0 else { throw .unexpected(at: position, wanted: "a digit") }
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while position < text.count, (0x30...0x39).contains(text[position]) { position += 1 }
        return position - start
    }
}
