public import Checks

/// The table `receipts` as CSV.
public enum CSVReceipts {
    /// The first row.
    public static var header: [UInt8] {
        var row = CSVRow()
        row.header(ReceiptsTable.columns)
        return row.bytes
    }

    /// Writes one claim's row at the end of some bytes.
    @Sendable public static func encode(_ facts: Facts, into bytes: inout [UInt8]) {
        // Taken out, so that there is one owner and appending copies nothing.
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        var row = CSVRow(appendingTo: consume taken)
        ReceiptsTable.write(facts, to: &row)
        row.endRow()
        bytes = row.takeBytes()
    }
}
