import Encodings
import FoundationEssentials

/// JSON that is built key by key. Unlike with `Encodable` structures, keys are written as the code reads.
indirect enum JSONTree: Codable, ExpressibleByDictionaryLiteral {
    case null
    case bool(Bool)
    case number(Int)
    case real(Double)
    case text(String)
    case array([JSONTree])
    case object([String: JSONTree])

    init(dictionaryLiteral members: (String, JSONTree)...) {
        self = .object(Dictionary(members) { first, _ in first })
    }

    /// Returns the text, or `null`.
    static func text(orNull text: String?) -> JSONTree { text.map { .text($0) } ?? .null }

    static func texts(_ texts: [String]) -> JSONTree { .array(texts.map { .text($0) }) }

    /// Reads JSON written by this program.
    init(parsing bytes: [UInt8]) throws { self = try JSONDecoder().decode(JSONTree.self, from: Data(bytes)) }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Int.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let elements = try? value.decode([JSONTree].self) {
            self = .array(elements)
        } else {
            self = .object(try value.decode([String: JSONTree].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let number): try container.encode(number)
        case .real(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }

    /// Returns the JSON on several lines, keys sorted, safe to print on a terminal.
    func prettyText() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return TerminalText.escaped(json: String(decoding: try encoder.encode(self), as: UTF8.self)) + "\n"
    }
}
