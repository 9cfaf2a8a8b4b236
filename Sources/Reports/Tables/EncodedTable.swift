package import Engine
import Rules

/// A table of a report with rows that are written when claims are checked, and the encoder of its rows.
package struct EncodedTable {
    package let table: ReportRequest.Table
    package let encoder: RowEncoder

    init(_ table: ReportRequest.Table, _ encoder: RowEncoder) { (self.table, self.encoder) = (table, encoder) }

    /// - Parameter maxClaims: the number of first claims to include; `nil` for all.
    /// - Returns: `nil` if the rows of the table are known only later.
    init?(_ table: ReportRequest.Table, in format: any FileFormat.Type, _ policy: Policy, maxClaims: Int? = nil) {
        guard let encoder = table.type.encoder(in: format, policy, maxClaims: maxClaims) else { return nil }
        self.init(table, encoder)
    }
}
