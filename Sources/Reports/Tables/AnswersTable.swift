package import Checks
import Encodings
package import Engine
import Inputs
import Receipts
package import Rules

/// The table `answers`: for each claim of an app receipt, in claim order, what Apple's verifyReceipt would have
/// answered, as far as the proofs of the run show it.
///
/// Its rows hold nested objects, so only JSON supports it. A row is written when its claim is checked, with what the
/// receipt itself proves. The members `latest_receipt_info` and `pending_renewal_info`, which depend on all proofs, are
/// inserted at the end.
package enum AnswersTable: ReportTable {
    package static let name = "answers"
    package static let stage = RunStage.claims
    package static let needsFigures = true
    package static let holdsObjects = true
    package static let columns: [TableColumn<Facts>] = [
        .text("source", "where the claim is, as in [receipts](#receipts)", width: 28) { $0.claim.source },
        .id("claim_id", "the claim, as in [receipts](#receipts)", width: 27) { $0.id },
        .init(
            "answer", "what `verifyReceipt` would have returned", .text, .object, width: 60
        ) { .json(VerifyReceiptAnswer($0).json) },
    ]

    package static func encoder(in format: any FileFormat.Type, _: Policy) -> RowEncoder? {
        let (names, rowEnd) = (columnNames, format.rowEnd)
        return .complete(
            CompleteRowEncoder(
                needsContent: true,
                encode: { facts, bytes, ends in
                    guard facts.format == .container else { return }
                    format.append(cells(of: facts)[...], from: 0, of: names, to: &bytes)
                    ends.append(bytes.count)
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
                }))
    }
}

extension Span<UInt8> {
    /// Whether the answer in a row has more than a status: it ends with the object `receipt`.
    fileprivate func holdsReceipt(rowEnd: String) -> Bool {
        let end = count - rowEnd.utf8.count
        return end > 3 && self[end - 3] == UInt8(ascii: "}")
    }
}
