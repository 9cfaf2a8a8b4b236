/// Where a table or its lines cannot be read as they should, so that claims may be missing behind it.
public struct InputDamage: Equatable, Sendable {
    /// The row, as claims are named: `export.csv:17`.
    public let source: String
    public let reason: String

    /// For a person: `export.ndjson.gz:1763: the compressed file is cut short`.
    public var description: String { source + ": " + reason }
}
