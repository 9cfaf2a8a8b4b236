import Checks
import Encodings
import Engine
import Inputs
import Receipts

/// The table `answers`: for each claim of an app receipt, in claim order, what Apple's verifyReceipt would have answered,
/// as far as the proofs of the run say it.
///
/// Its rows hold objects in objects, so only JSON has them. A row is written when its claim is checked, with what the
/// receipt itself proves; `latest_receipt_info` and `pending_renewal_info`, which all proofs together say, are put into it
/// in the end.
enum AnswersTable {
    static let schema = TableSchema(
        name: "answers",
        columns: [
            // First, as in other tables: rows in the ledger are kept without it.
            .init("source", .text, width: 28), .init("claim_id", .code, width: 27), .init("answer", .text, width: 60),
        ])

    /// Returns the encoder with which the workers of a run write the rows.
    ///
    /// - Parameters:
    ///   - format: the extension of the report.
    ///   - rowEnd: what follows each row.
    static func encoder(format: String, rowEnd: String) -> RowEncoder {
        let columns = schema.columnNames
        return RowEncoder(
            name: "answers \(format)", needsContent: true,
            encode: { facts, bytes, ends in
                guard facts.format == .container else { return }
                var row = JSONRow(columns, appendingTo: bytes.take())
                row.text(facts.claim.source)
                row.id(facts.id)
                row.json(VerifyReceiptAnswer(facts).json)
                row.endRow()
                bytes = row.takeBytes()
                bytes.append(contentsOf: rowEnd.utf8)
                ends.append(bytes.count)
            },
            encodeSource: { source, bytes in
                var row = JSONRow(columns, appendingTo: bytes.take())
                row.text(source)
                bytes = row.takeBytes()
            },
            addParts: { row, parts, bytes in
                guard row.holdsReceipt(rowEnd: rowEnd), let members = LatestAnswer(parts)?.members else {
                    return bytes.append(copying: row)
                }
                bytes.append(copying: row.extracting(droppingLast: 2 + rowEnd.utf8.count))
                bytes.append(UInt8(ascii: ","))
                bytes.append(copying: members.span)
                bytes.append(contentsOf: "}}".utf8)
                bytes.append(contentsOf: rowEnd.utf8)
            })
    }
}

extension Span<UInt8> {
    /// Whether the answer in a row says more than a status: it ends with the object `receipt`.
    fileprivate func holdsReceipt(rowEnd: String) -> Bool {
        let end = count - rowEnd.utf8.count
        return end > 3 && self[end - 3] == UInt8(ascii: "}")
    }
}
