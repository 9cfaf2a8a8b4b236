import Corpus
import FoundationEssentials
import Testing

@testable import Inputs

struct `A line of JSON` {
    @Test func `is read if Foundation reads it, and only then`() throws {
        var random = Seeded(state: 11)
        let whole = Array(#"{"a": [1, -1.5e+3, true, null, {"b": "\u00e9\ud83d\ude00"}], "receipt_data": "TQ"}"#.utf8)
        let alphabet = Array("{}[]\",:\\u0129-+.eE tfn\u{7f}\u{1}é".utf8)
        var object = JSONObject()
        var read = 0
        for _ in 0..<6000 {
            var line = whole
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<line.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: line.remove(at: place)
                case 1: line.insert(alphabet[Int.random(in: 0..<alphabet.count, using: &random)], at: place)
                default: line[place] = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
                }
            }
            var arena = ByteArena()
            let range = arena.append(line.span)
            let isRead = (try? object.read(range, of: arena, unknown: { _ in })) != nil
            if isRead { read += 1 }
            // We refuse a value that is not a text under keys that we know; Foundation accepts it.
            let isKnown = String(decoding: line, as: UTF8.self).contains(#""receipt_data": ""#)
            // And it accepts a comma after the last of several.
            let hasIdleComma = endsWithComma(line)
            // It refuses half of a surrogate pair, which we replace.
            guard isRead || isKnown && !hasIdleComma, !hasHalfPair(line) else { continue }
            let expected = (try? JSONDecoder().decode([String: Anything].self, from: Data(line))) != nil
            #expect(isRead == expected, "\(String(decoding: line, as: UTF8.self))")
        }
        #expect(read > 500)
    }
}

/// Whether an escape is half of a surrogate pair without the other half behind it.
private func hasHalfPair(_ line: [UInt8]) -> Bool {
    var high = false
    var index = 0
    while index < line.count {
        var unit: Int?
        var width = 1
        if line[index] == UInt8(ascii: "\\"), index + 1 < line.count {
            width = 2
            if line[index + 1] == UInt8(ascii: "u"), index + 6 <= line.count {
                unit = Int(String(decoding: line[(index + 2)..<(index + 6)], as: UTF8.self), radix: 16)
                if unit != nil { width = 6 }
            }
        }
        let isLow = unit.map { (0xdc00..<0xe000).contains($0) } ?? false
        if high != isLow { return true }
        high = unit.map { (0xd800..<0xdc00).contains($0) } ?? false
        index += width
    }
    return high
}

/// Whether some list or object has a comma after its last value.
private func endsWithComma(_ line: [UInt8]) -> Bool {
    let signs = line.filter { $0 > 0x20 }
    return zip(signs, signs.dropFirst()).contains { $0 == UInt8(ascii: ",") && [0x5d, 0x7d].contains($1) }
}

/// Any JSON value at all.
private enum Anything: Decodable {
    case nothing
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([Anything])
    case object([String: Anything])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .nothing
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([Anything].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: Anything].self))
        }
    }
}
