import Checks
import Encodings
import Engine
import Inputs
import Receipts

/// The table `answers`: for each claim of an app receipt, in claim order, what Apple's verifyReceipt would have answered,
/// as far as the receipt proves it.
///
/// Its rows hold objects in objects, so only JSON has them. What comes from other proofs, `latest_receipt_info` and
/// `pending_renewal_info`, is not part of them.
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
                row.code(facts.id.description)
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
            })
    }
}

/// JSON that is written piece by piece, in order.
struct JSONText {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    mutating func object(_ body: (inout JSONText) -> Void) {
        open("{")
        body(&self)
        close("}")
    }

    mutating func array<Element>(of elements: [Element], _ body: (Element, inout JSONText) -> Void) {
        open("[")
        for element in elements { body(element, &self) }
        close("]")
    }

    /// Writes the name of a member, whose value must follow.
    mutating func name(_ name: String) {
        separate()
        JSONString.append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    mutating func member(_ name: String, _ text: String) {
        self.name(name)
        JSONString.append(text, to: &bytes)
        needsComma = true
    }

    mutating func member(_ name: String, _ number: Int) {
        self.name(name)
        bytes.append(decimal: Int64(number))
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func open(_ bracket: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: bracket))
        needsComma = false
    }

    private mutating func close(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(ascii: bracket))
        needsComma = true
    }
}
