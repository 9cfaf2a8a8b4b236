import Encodings

/// A name that a user gave for a column and that no INPUT has.
public struct AbsentColumn: Sendable, Equatable {
    /// The column, such as `account_id`.
    public let column: String
    /// The name that was given.
    public let name: String
    /// The first names that the INPUTs have.
    public let others: [String]
}

/// The search for the names that a user gave for columns: a mistyped one would leave its column empty, and nobody would see.
struct SoughtColumns: Sendable {
    /// The columns that were found under names that were given.
    private var found: Set<Column> = []
    /// The first names of columns and keys.
    private var names: [String] = []

    /// Of JSON the objects in so many blocks are looked at.
    static let blocks = 4

    mutating func add(_ header: TableHeader) {
        found.formUnion(header.givenColumns)
        for name in header.names { add(name) }
    }

    /// Adds the keys of JSON objects in a block.
    mutating func add(_ block: ClaimBlock) {
        var object = JSONObject()
        for item in block.items where !item.text.isEmpty {
            do throws(JSONError) {
                try object.read(item.text, of: block.text, block.origin.names) { add($0) }
            } catch {
                continue
            }
            found.formUnion(object.givenColumns)
        }
    }

    mutating func add(_ other: SoughtColumns) {
        found.formUnion(other.found)
        for name in other.names { add(name) }
    }

    private mutating func add(_ name: String) {
        guard names.count < FirstNames.max, UnknownNames.mayBeNamed(name), !name.isEmpty else { return }
        if !names.contains(where: { $0.hasSameBytes(as: name) }) { names.append(name) }
    }

    /// The given names that were not found.
    func absent(_ given: ExportNames) -> [AbsentColumn] {
        given.givenNames.filter { !found.contains($0.column) }
            .map { AbsentColumn(column: $0.column.name, name: $0.name, others: names) }
    }
}
