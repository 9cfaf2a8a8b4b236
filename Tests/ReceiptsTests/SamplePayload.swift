import Encodings

@testable import Receipts

/// Makes payloads of all members that a table has, each with a value of its form.
struct SamplePayload {
    let table: PayloadTable
    /// Values that replace those of the form, by path: JSON.
    var values: [ExactText: String] = [:]
    /// The paths of members that are left out, with all that is in them.
    var left: Set<ExactText> = []

    private let children: [ExactText: [PayloadMember]]

    init(_ kind: Token.Kind) {
        table = .of(kind)
        children = Dictionary(grouping: table.members, by: \.parent)
    }

    var octets: [UInt8] { Array(object("").utf8) }

    var token: Token { get throws { try Token(parsing: octets) } }

    private func object(_ parent: ExactText) -> String {
        let members = (children[parent] ?? []).filter { !left.contains($0.path) }
        return "{" + members.map { "\"\($0.name)\":\(value(of: $0))" }.joined(separator: ",") + "}"
    }

    private func value(of member: PayloadMember) -> String {
        if let value = values[member.path] { return value }
        switch member.values {
        case .texts(let texts): return "\"\(texts[0])\""
        case .numbers(let numbers): return "\(numbers[0])"
        case .any, .range: break
        }
        switch member.form {
        case .text: return "\"7\""
        case .uuid: return "\"7E5C2A10-0000-4000-8000-00000000000A\""
        case .number: return "3"
        case .date: return "1700000000000"
        case .flag: return "true"
        case .object: return object(member.path)
        case .objects: return "[" + object(member.path) + "]"
        case .texts: return "[\"7\"]"
        case .token: return "\"a.b.c\""
        }
    }
}
