import Foundation

/// Any JSON, so that tests can look at the shape of what was written.
enum JSONValue: Decodable, Equatable {
    case null
    case bool(Bool)
    case number(Int)
    case text(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode(Int.self) {
            self = .number(value)
        } else if let value = try? container.decode([String: JSONValue].self) {
            self = .object(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .bool(try container.decode(Bool.self))
        }
    }

    subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    var keys: [String] {
        if case .object(let members) = self { members.keys.sorted() } else { [] }
    }

    var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }

    var string: String? {
        if case .text(let text) = self { text } else { nil }
    }

    var integer: Int? {
        if case .number(let number) = self { number } else { nil }
    }
}

/// A folder for one test, which goes with the value.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "audit-reports-\(UUID())").path()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// What is in it.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}
