import Encodings

/// A user's name for a column that no INPUT has.
public struct AbsentColumn: Sendable, Equatable {
    /// The column, such as `account_id`.
    public let column: String
    /// The given name.
    public let name: String
    /// The first names in the INPUTs.
    public let others: [String]
}

/// The search for a user's names for columns: a mistyped one would leave its column empty without notice.
package struct ColumnSearch: Sendable, Codable {
    /// The given names.
    private var given: [GivenName] = []
    /// The columns found under given names.
    private var found: [Column] = []
    /// The first names of columns and keys.
    private var names: [String] = []

    private struct GivenName: Codable {
        let column: Column
        let name: String
    }

    package init() {}

    init(_ names: ExportNames) {
        given = names.givenNames.map { GivenName(column: $0.column, name: $0.name) }
    }

    mutating func add(_ header: TableHeader) {
        add(header.givenColumns)
        for name in header.names { add(name) }
    }

    /// Adds a key of a JSON object.
    mutating func add(_ key: Span<UInt8>, _ known: ExportNames.Known?) {
        guard !given.isEmpty else { return }
        if let known { if known.rank == .given { add([known.column]) } } else { add(String(repairing: key)) }
    }

    /// Adds the results of another search.
    package mutating func add(_ other: ColumnSearch) {
        if given.isEmpty { given = other.given }
        add(other.found)
        for name in other.names { add(name) }
    }

    private mutating func add(_ columns: some Sequence<Column>) {
        for column in columns where !found.contains(column) { found.append(column) }
    }

    private mutating func add(_ name: String) {
        guard names.count < FirstNames.max, FirstNames.mayBeNamed(name), !name.isEmpty else { return }
        if !names.contains(where: { $0.hasSameBytes(as: name) }) { names.append(name) }
    }

    /// The given names that were not found.
    var absent: [AbsentColumn] {
        given.filter { !found.contains($0.column) }
            .map { AbsentColumn(column: $0.column.name, name: $0.name, others: names) }
    }
}
