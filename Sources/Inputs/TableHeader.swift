import Encodings

/// Makes claims of a table's rows.
struct TableHeader {
    /// What each column is, in the table's order; `nil` for those that mean nothing to us.
    private let columns: [Column?]
    /// Their names as they stand, to tell a header that comes twice.
    private let names: [UInt8]
    private let fields: [Range<Int>]
    /// The names of the columns that mean nothing to us.
    let unknownNames: [String]

    /// Reads the first row. `nil` if it names no column that holds receipts.
    init?(_ row: CSVRow) {
        var columns: [Column?] = []
        var unknownNames: [String] = []
        for (index, field) in row.fields.enumerated() {
            let name = String(decoding: row.bytes[field], as: UTF8.self)
            let plain = index == 0 && name.hasPrefix("\u{feff}") ? String(name.dropFirst()) : name
            let column = Column(name: plain)
            columns.append(column)
            if column == nil, !plain.isEmpty { unknownNames.append(plain) }
        }
        guard columns.contains(.file) || columns.contains(.receiptData) else { return nil }
        self.columns = columns
        self.unknownNames = unknownNames
        names = row.bytes
        fields = row.fields
    }

    /// The claim that a row makes, and where its receipt is; bytes go to the end of `bytes`.
    func entry(of row: CSVRow, source: String, bytes: inout [UInt8]) -> ClaimBlock.Entry {
        var claim = Claim(source: source)
        do throws(InputFault) {
            let receipt = try read(row, into: &claim, bytes: &bytes)
            return ClaimBlock.Entry(claim: claim, receipt: receipt)
        } catch {
            return ClaimBlock.Entry(claim: claim, receipt: .fault(error))
        }
    }

    private func read(
        _ row: CSVRow, into claim: inout Claim, bytes: inout [UInt8]
    ) throws(InputFault) -> ClaimBlock.Receipt {
        guard !row.isTooLong else { throw InputFault(.receiptUnreadable, "the row is over 12 MiB") }
        guard !row.isTorn else { throw InputFault(.rowMalformed, "a quote is left open") }
        guard row.fields != fields || row.bytes != names else {
            throw InputFault(.rowMalformed, "the column names once more")
        }
        guard row.fields.count == columns.count else {
            throw InputFault(
                .rowMalformed, "\(row.fields.count) cells where the first row has \(columns.count) columns")
        }
        var data: Range<Int>?
        for (column, field) in zip(columns, row.fields) {
            guard let column else { continue }
            if column == .receiptData {
                data = field
            } else {
                try claim.set(column, to: row.bytes.span.extracting(field))
            }
        }
        if let data, data.count > 0 || claim.file.isEmpty {
            let start = bytes.count
            bytes.append(contentsOf: row.bytes[data])
            claim.file = ""
            return .bytes(start..<bytes.count)
        }
        guard !claim.file.isEmpty else { throw InputFault(.rowMalformed, "it names no receipt") }
        return .file(claim.file)
    }
}

extension Claim {
    /// Sets what a column says, without the blanks around it.
    mutating func set(_ column: Column, to text: Span<UInt8>) throws(InputFault) {
        let text = text.withoutBlanks
        guard text.count > 0 else { return }
        let value: String
        do {
            value = String(copying: try UTF8Span(validating: text))
        } catch {
            throw InputFault(.rowMalformed, "\(column.rawValue) is not UTF-8")
        }
        switch column {
        case .file: file = value
        case .receiptData: break
        case .deviceID: deviceID = value
        case .accountID: accountID = value
        case .bundleID: bundleID = value
        case .appVersion: appVersion = value
        case .productID: productID = value
        case .presentedAt:
            guard let instant = Instant(rfc3339: text) else {
                throw InputFault(.rowMalformed, "presented_at is not an RFC 3339 time")
            }
            presentedAt = instant
        }
    }
}
