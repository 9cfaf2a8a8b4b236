import Encodings
import Engine
import Rules
import SQLite

extension ShownSubject {
    /// Returns it for programs: `subject` (`kind`, `id`), `facts`, and for `findings`, `claims`, `others`, `purchases`
    /// and `decisions` their number (`total`) and the first of them (`rows`), by the columns of the report; `rules` has
    /// what to do.
    ///
    /// - Throws: if the JSON cannot be encoded.
    public func json() throws -> String {
        let lists = [findings, claims, others, purchases, decisions].map { list in
            (list.name, ["total": .number(list.total), "rows": .array(list.rows.map(Self.object))] as JSONTree)
        }
        let rules = rules.map { rule -> JSONTree in
            [
                "rule": .text(rule.id.text), "title": .text(rule.title), "what_to_do": .text(rule.whatToDo),
                "when_wrong": .text(rule.whenWrong),
            ]
        }
        let parts: [(String, JSONTree)] =
            [
                ("subject", ["kind": .text(kind.rawValue), "id": .text(id)]), ("facts", Self.object(facts)),
                ("rules", .array(rules)),
            ] + lists
        return try JSONTree.object(Dictionary(parts) { first, _ in first }).prettyText()
    }

    private static func object(_ row: DatabaseReader.Row) -> JSONTree {
        .object(
            Dictionary(
                row.map { ($0.column, Self.value($0.value, of: $0.column)) }, uniquingKeysWith: { first, _ in first }))
    }

    /// Returns a cell as in JSON reports: lists are arrays.
    private static func value(_ value: DatabaseReader.Value, of column: String) -> JSONTree {
        switch value {
        case .null: return lists.contains(column) ? .array([]) : .null
        case .number(let number): return .number(Int(number))
        case .real(let number): return .real(number)
        case .text(let text):
            if lists.contains(column) { return .array(text.split(separator: ";").map { .text(String($0)) }) }
            return column == "new" ? .bool(text == "true") : .text(text)
        }
    }

    private static let lists = ["failed_checks", "rules", "sources"]
}
