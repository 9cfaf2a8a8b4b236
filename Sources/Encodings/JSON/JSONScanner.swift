/// Reads JSON (RFC 8259) from the front of a text, without building anything; strictly, unless it is told otherwise.
///
/// The text must be UTF-8, which the caller checks.
package struct JSONScanner: ~Escapable {
    private let text: Span<UInt8>
    package private(set) var position = 0

    /// The maximum nesting of values: untrusted input must not exhaust the stack.
    private let maxDepth: Int
    /// Whether to read what programs write that is not JSON: NaN, Infinity and -Infinity as empty words, and halves of
    /// surrogate pairs as U+FFFD.
    private let isLenient: Bool
    /// The number of halves of surrogate pairs that were replaced.
    package private(set) var replaced = 0

    @_lifetime(copy text)
    package init(_ text: Span<UInt8>, maxDepth: Int = 128, isLenient: Bool = false) {
        self.text = text
        self.maxDepth = maxDepth
        self.isLenient = isLenient
    }

    /// Returns the next byte that is not blank, without reading it.
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

    /// Reads a string. One with escapes is decoded to the end of `arena`.
    package mutating func string(spellingInto arena: inout [UInt8]) throws(JSONError) -> JSONText {
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
            arena.append(copying: text.extracting(run..<position))
            position += 1
            try spellEscape(into: &arena)
            run = position
            skipPlain()
        }
        guard position < text.count else { throw .endsInside }
        guard text[position] == 0x22 else {
            throw .unexpected(at: position, wanted: "no control character in a string")
        }
        arena.append(copying: text.extracting(run..<position))
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
        case 0x4e where isLenient, 0x49 where isLenient: try noNumber(from: position)
        case 0x2d where isLenient && position + 1 < text.count && text[position + 1] == 0x49:
            try noNumber(from: position + 1)
        default: try number()
        }
        return start..<(isLenient && isNoNumber(start) ? start : position)
    }

    /// Skips any value.
    package mutating func skipValue(_ depth: Int = 0, arena: inout [UInt8]) throws(JSONError) {
        guard depth < maxDepth else { throw .tooDeep }
        switch next() {
        case 0x22:
            let count = arena.count
            _ = try string(spellingInto: &arena)
            arena.removeLast(arena.count - count)
        case 0x7b:
            position += 1
            if skip("}") { return }
            repeat {
                let count = arena.count
                _ = try string(spellingInto: &arena)
                arena.removeLast(arena.count - count)
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
    private mutating func nextByte() -> UInt8? {
        guard position < text.count else { return nil }
        defer { position += 1 }
        return text[position]
    }

    /// Moves to the end of the string, or to the first byte that needs decoding or checking.
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

    /// Whether NaN, Infinity or -Infinity begins at a position.
    private func isNoNumber(_ start: Int) -> Bool {
        text[start] == 0x4e || text[start] == 0x49
            || text[start] == 0x2d && start + 1 < text.count && text[start + 1] == 0x49
    }

    private mutating func noNumber(from start: Int) throws(JSONError) {
        position = start
        try literal(text[start] == 0x4e ? "NaN" : "Infinity")
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

extension JSONScanner {
    /// Reads the rest of an escape after its backslash, and appends its UTF-8.
    private mutating func spellEscape(into arena: inout [UInt8]) throws(JSONError) {
        let start = position - 1
        switch nextByte() {
        case nil: throw .endsInside
        case 0x22: arena.append(0x22)
        case 0x5c: arena.append(0x5c)
        case 0x2f: arena.append(0x2f)
        case 0x62: arena.append(0x08)
        case 0x66: arena.append(0x0c)
        case 0x6e: arena.append(0x0a)
        case 0x72: arena.append(0x0d)
        case 0x74: arena.append(0x09)
        case 0x75:
            let scalar = Unicode.Scalar(try codePoint(from: start))
            guard scalar != nil || isLenient else {
                throw .unexpected(at: start, wanted: "half a surrogate pair with its other half")
            }
            if scalar == nil { replaced += 1 }
            for byte in scalar.flatMap(UTF8.encode) ?? UTF8.encodedReplacementCharacter { arena.append(byte) }
        default: throw .unexpected(at: start, wanted: "an escape")
        }
    }

    /// Reads the four digits of `\u`, and those of a second one if they form a surrogate pair.
    private mutating func codePoint(from start: Int) throws(JSONError) -> UInt32 {
        let first = try unit(from: start)
        guard (0xd800..<0xdc00).contains(first) else { return first }
        let end = position
        if nextByte() == 0x5c, nextByte() == 0x75, case let second = try unit(from: start),
            (0xdc00..<0xe000).contains(second)
        {
            return 0x10000 + (first - 0xd800) << 10 + (second - 0xdc00)
        }
        position = end
        return first
    }

    private mutating func unit(from start: Int) throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = nextByte() else { throw .endsInside }
            guard let digit = Hex.value(byte) else { throw .unexpected(at: start, wanted: "four hexadecimal digits") }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}

/// An error in JSON. Positions count bytes from the first.
package enum JSONError: Error, Equatable {
    /// A byte differs from the expected one.
    case unexpected(at: Int, wanted: String)
    /// The text ends inside a string.
    case endsInside
    /// Values are nested too deeply.
    case tooDeep
    /// There are more values than the maximum.
    case tooLarge
    /// Bytes follow the value.
    case leftOver(at: Int)
    case notUTF8
    /// An object has two members with one name, or with names for the same thing.
    case repeated(String)
    /// Two members for the same thing both have values, and differ.
    case differ(String, String)
}

extension JSONError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unexpected(let position, let wanted): "not JSON: \(wanted) belongs at byte \(position)"
        case .endsInside: "not JSON: it ends inside a string"
        case .tooDeep: "JSON nested too deeply"
        case .tooLarge: "JSON with too many values"
        case .leftOver(let position): "not JSON: there is text after the value, at byte \(position)"
        case .notUTF8: "not JSON: it is not UTF-8"
        case .repeated(let name): "two members for \(name)"
        case .differ(let first, let second): "“\(first)” and “\(second)” differ"
        }
    }
}

/// The place of the text of a JSON string.
package enum JSONText: Sendable {
    /// In the text, without escapes.
    case plain(Range<Int>)
    /// In the arena of decoded strings.
    case spelled(Range<Int>)
}
