import Checks
import Encodings
import Receipts

extension InspectionText {
    /// The members of a token's payload, verbatim.
    var payload: [String] {
        (inspection.payload?.members ?? []).flatMap { member in
            field(TextLayout.safe(member.name, limit: 60), Self.text(of: member), labelWidth: nameWidth)
        }
    }

    private var nameWidth: Int {
        2 + min(60, inspection.payload?.members.map { TextLayout.safe($0.name, limit: 60).count }.max() ?? 0)
    }

    private static func text(of member: PayloadListing.Member) -> String {
        let text = text(of: member.value)
        return switch member.unknown {
        case .member?: text + " (this version does not know the member)"
        case .value?: text + " (this version does not know the value)"
        case nil: text
        }
    }

    private static func text(of value: PayloadListing.Value) -> String {
        switch value {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let text): TextLayout.safe(text)
        case .date(let date, _): date.description
        case .text(let text): TextLayout.safe(text)
        case .token(let text): "a token of \(grouped(text.utf8.count)) bytes"
        case .empty: "(empty)"
        }
    }
}

extension InspectionJSON {
    /// Returns the members of a token's payload, each with its path of names, the kind of its value, and the part of it
    /// that this version does not know.
    static func payload(_ listing: PayloadListing?) -> JSONTree {
        guard let listing else { return .null }
        return .array(
            listing.members.map { member in
                let (kind, value): (String, JSONTree) =
                    switch member.value {
                    case .null: ("null", .null)
                    case .bool(let value): ("bool", .bool(value))
                    case .number(let text): ("number", .text(text.text))
                    case .date(let date, _): ("date", .text(date.description))
                    case .text(let text): ("text", .text(text.text))
                    case .token(let text): ("token", .text(text.text))
                    case .empty: ("empty", .null)
                    }
                let written: JSONTree = if case .date(_, let text) = member.value { .text(text.text) } else { .null }
                return [
                    "name": .text(member.name.text), "kind": .text(kind), "value": value, "written": written,
                    "unknown": .text(orNull: member.unknown?.rawValue),
                ]
            })
    }
}
