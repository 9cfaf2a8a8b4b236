import Encodings
import Files

/// Collects fields into rows, and rows into blocks.
///
/// Only cells of known columns are stored. Each is copied once, into the arena of its block.
struct TableRows {
    /// Blocks that are complete.
    private(set) var full: [ClaimBlock] = []
    private(set) var header: TableHeader?
    private(set) var error: InputError?
    /// The damaged places of the table.
    private(set) var damages = Omissions()

    private let table: String
    private let folder: ReceiptFolder?
    private let exportNames: ExportNames
    private let unnamed: UnnamedFiles?
    private let pool: BufferPool
    private var origin: ClaimOrigin
    private var rows: BlockRows

    /// The current line, and the one on which the current row starts.
    private(set) var line = 1
    private var rowLine = 1
    /// The line on which the previous row started.
    private var lastLine = 1
    private var afterReturn = false
    private var names: [[UInt8]] = []
    /// The current row: the number of cells, the number of bytes with a comma after each cell, and the start of its
    /// text in the arena.
    private var cell = 0
    private(set) var rowBytes = 0
    private var rowStart = 0
    private(set) var isTooLong = false
    private var row = Array(repeating: 0..<0, count: Column.count)
    /// The cell with a value, of several cells for a proof, and another one with a different value.
    private var proofCell: Int?
    private var otherProofCell: (first: Int, second: Int)?
    /// The values of columns that are not read, in the examined rows.
    private(set) var unknownValues = UnknownValues()
    private var rowCount = 1
    private var isExamined = true
    private var examined: [String] = []
    /// An unreadable row that waits for its bytes.
    private var unread: ClaimBlock.Item?

    /// The maximum size of a row: base64 of the largest receipt, and the other cells.
    static let maxRowSize = 12 << 20
    /// The maximum number of columns, as in spreadsheets. All names of a header are stored until it ends.
    static let maxColumns = 16_384

    init(
        table: String, folder: ReceiptFolder?, names: ExportNames = ExportNames(), unnamed: UnnamedFiles?,
        pool: BufferPool
    ) {
        exportNames = names
        self.table = table
        self.folder = folder
        self.unnamed = unnamed
        self.pool = pool
        origin = ClaimOrigin(table: table, folder: folder)
        rows = BlockRows(pool)
    }

    /// Adds a field in libcsv's memory with a number of line breaks.
    mutating func addField(_ bytes: Span<UInt8>, lineFeeds: Int) {
        let index = cell
        cell += 1
        afterReturn = false
        // The comma also counts: a row may consist of commas, and a stored cell takes more than one byte.
        rowBytes += bytes.count + 1
        line += lineFeeds
        guard rowBytes <= Self.maxRowSize, !isTooLong else { return abandonRow() }
        guard let header else { return addName(bytes) }
        guard index < header.columns.count, let column = header.columns[index] else {
            if isExamined { examine(bytes, cell: index) }
            return
        }
        if exportNames.isNull(bytes) { return }
        if column == .receiptData, header.shape.receipts.count > 1 { return addProof(bytes, cell: index) }
        if column == .deviceID, header.hasSeveralDevices { return addDevice(bytes) }
        row[column.rawValue] = rows.text.append(bytes)
        // The system needs a path with a trailing NUL.
        if column == .file { rows.text.append(0) }
    }

    /// Counts what an unknown column's value looks like.
    private mutating func examine(_ bytes: Span<UInt8>, cell: Int) {
        guard let header, !header.name(of: cell).isEmpty, !exportNames.isNull(bytes) else { return }
        unknownValues.add(bytes, under: header.name(of: cell))
        if bytes.withoutBlanks.count > 0 { examined.append(header.name(of: cell)) }
    }

    /// Ends a row that was examined.
    private mutating func endExamining() {
        let kinds = LikelyColumn.allCases.filter { !row[$0.column.rawValue].isEmpty }
        unknownValues.endRow(examined, beside: Set(kinds))
        examined.removeAll(keepingCapacity: true)
    }

    /// Adds one of several cells for a proof. Only one may have a value.
    private mutating func addProof(_ bytes: Span<UInt8>, cell: Int) {
        let proof = bytes.withoutBlanks
        guard proof.count > 0 else { return }
        let first = trimmed(.receiptData)
        if let proofCell, !Placeholder.matches(rows.text.span(first)) {
            guard !Placeholder.matches(proof), !rows.text.span(first).isSame(as: proof) else { return }
            if otherProofCell == nil { otherProofCell = (proofCell, cell) }
        } else {
            proofCell = cell
            row[Column.receiptData.rawValue] = rows.text.append(bytes)
        }
    }

    /// Adds one of several cells for a device.
    private mutating func addDevice(_ bytes: Span<UInt8>) {
        let first = row[Column.deviceID.rawValue]
        guard !first.isEmpty else { return row[Column.deviceID.rawValue] = rows.text.append(bytes) }
        let start = rows.text.appendCopy(of: first).lowerBound
        rows.text.append(Claim.separatorOfDevices)
        row[Column.deviceID.rawValue] = start..<rows.text.append(bytes).upperBound
    }

    /// Adds a cell of the header.
    private mutating func addName(_ bytes: Span<UInt8>) {
        guard names.count < Self.maxColumns else { return abandonRow() }
        names.append(bytes.indices.map { bytes[$0] })
    }

    /// Ends the row, or counts a line break between two rows.
    mutating func endRow(_ terminator: CInt) {
        let isRow = cell > 0
        let endsInProof = header?.columns.last == .receiptData
        switch terminator {
        case _ where !isRow: break
        case 0x0d, 0x0a: finishRow()
        // The end of the table.
        default:
            let isCut = endsInProof && ProofStart.isCut(rows.text.span(trimmed(.receiptData)))
            finishRow()
            if isCut || awaitsBytes {
                damages.add(InputDamage(source: "\(table):\(rowLine)", reason: InputDamage.cutShort))
            }
        }
        switch terminator {
        case 0x0d:
            line += 1
            afterReturn = true
        case 0x0a:
            if !afterReturn { line += 1 }
            afterReturn = false
        default: break
        }
        if isRow { startRow() } else { rowLine = line }
    }

    /// Discards the text of the current row, which is too long.
    mutating func abandonRow() {
        isTooLong = true
        names = []
        discardCells()
    }

    /// Ends the table with an unreadable row.
    mutating func endTorn(_ bytes: Span<UInt8>, _ reason: String) {
        damages.add(InputDamage(source: "\(table):\(rowLine)", reason: reason))
        discardCells()
        unread = ClaimBlock.Item(line: rowLine, receipt: .fault(InputFault(.rowMalformed, reason)))
        endUnread(bytes)
        startRow()
    }

    /// Whether the last row is unreadable, so that ``endUnread(_:)`` must be called with its bytes.
    var awaitsBytes: Bool { unread != nil }

    /// Adds an unreadable row with its bytes, without a trailing line break.
    mutating func endUnread(_ bytes: Span<UInt8>) {
        guard var item = unread else { return }
        unread = nil
        let row = rows.text.append(bytes)
        item.identity = rows.text.withoutLineEnd(row)
        append(item)
        rowStart = rows.text.count
    }

    /// Records that the row that has just ended may contain others.
    mutating func noteBrokenRow() {
        damages.add(
            InputDamage(
                source: "\(table):\(lastLine)",
                reason:
                    "a quote in it is not closed or is misplaced, so the rows after it may be part of it"))
    }

    /// Records that a cell of the row that has just ended holds what may be rows.
    mutating func noteHiddenRow() {
        damages.add(
            InputDamage(
                source: "\(table):\(lastLine)",
                reason:
                    "a cell in it holds lines that look like rows: they are lost if the export does not double the quotes in names",
                losesRows: false))
    }

    /// Counts a line before the header.
    mutating func skipLine() { (line, rowLine) = (line + 1, rowLine + 1) }

    /// Records damage of the table as a whole.
    mutating func addDamage(_ reason: String, losesRows: Bool = true) {
        damages.add(InputDamage(source: table, reason: reason, losesRows: losesRows))
    }

    /// Ends the current row, which is unreadable, with its first lines. The next row starts after these.
    mutating func breakRow(_ bytes: Span<UInt8>, lines: Int, _ reason: String) {
        line = rowLine + lines
        afterReturn = false
        endTorn(bytes, reason)
    }

    /// Removes and returns the next complete block; at the end of the table also an incomplete one.
    mutating func nextBlock(atEnd: Bool) -> ClaimBlock? {
        if !full.isEmpty { return full.removeFirst() }
        guard atEnd, !rows.items.isEmpty else { return nil }
        return rows.makeBlock(from: origin, pool)
    }

    private mutating func discardCells() {
        rows.text.cut(at: rowStart)
        for column in row.indices { row[column] = 0..<0 }
    }

    private mutating func startRow() {
        if isExamined { endExamining() }
        rowCount += 1
        isExamined = UnknownValues.examines(rowCount)
        lastLine = rowLine
        rowLine = line
        cell = 0
        rowBytes = 0
        rowStart = rows.text.count
        isTooLong = false
        proofCell = nil
        otherProofCell = nil
        for column in row.indices { row[column] = 0..<0 }
    }

    private mutating func finishRow() {
        guard let header else { return finishHeader() }
        guard !isTooLong else {
            let fault = InputFault(.receiptUnreadable, "a row over 12 MiB")
            return append(ClaimBlock.Item(line: rowLine, receipt: .fault(fault)))
        }
        let item = claim(under: header)
        if case .fault(let fault) = item.receipt, fault.kind == .rowMalformed {
            discardCells()
            unread = item
        } else {
            append(item)
        }
    }

    private mutating func finishHeader() {
        guard error == nil else { return }
        guard !isTooLong else {
            error = .headerTooLong(table: table, line: rowLine)
            return
        }
        do throws(InputError) {
            let header = try TableHeader(names, exportNames, table: table, line: rowLine)
            self.header = header
            origin = ClaimOrigin(table: table, folder: folder, hasData: header.hasData)
        } catch {
            self.error = error
        }
        names = []
    }

    /// Returns the row that has ended, or the fault that makes it unreadable.
    private mutating func claim(under header: TableHeader) -> ClaimBlock.Item {
        var item = ClaimBlock.Item(line: rowLine)
        guard cell == header.columns.count else {
            let reason = "\(cell) cells, where the header has \(header.columns.count)"
            item.receipt = .fault(InputFault(.rowMalformed, reason))
            return item
        }
        if repeatsHeader(header) {
            item.receipt = .fault(InputFault(.rowMalformed, "a repeated header row"))
            return item
        }
        if let (first, second) = otherProofCell {
            item.receipt = .fault(.twoProofs(header.name(of: first), header.name(of: second)))
            return item
        }
        let path = trimmed(.file)
        if !path.isEmpty { item.receipt = fileReceipt(path, &item) }
        if !trimmed(.receiptData).isEmpty {
            item.receipt = .inText
            row[Column.file.rawValue] = 0..<0
        } else if path.isEmpty, !header.hasData {
            item.receipt = .fault(InputFault(.rowMalformed, "names neither a file nor a receipt"))
        }
        if let column = columnOfOtherText {
            item.receipt = .fault(InputFault(.rowMalformed, "\(column.name) is not UTF-8", isOtherText: true))
        }
        return item
    }

    /// Returns the place of the receipt of a row that names a file.
    private mutating func fileReceipt(_ path: Range<Int>, _ item: inout ClaimBlock.Item) -> ClaimBlock.Receipt {
        var path = path
        row[Column.file.rawValue] = path
        item.identity = path
        if !RelativePath.isPlain(rows.text.span(path)) {
            item.identity = rows.text.appendCopy(of: path)
            if let objection = RelativePath.objection(to: rows.text.span(path)) {
                unnamed?.add(refused: rows.text.span(path))
                return .fault(objection)
            }
            path = RelativePath.normalise(path, in: &rows.text)
            if path.isEmpty { return .fault(.folder) }
            row[Column.file.rawValue] = path
        }
        rows.text[path.upperBound] = 0
        item.path = path
        let text = rows.text
        unnamed?.add(rowOf: text.span(path))
        return .inFile
    }

    /// The first column with text that is not UTF-8. The column of receipts may contain anything.
    private var columnOfOtherText: Column? {
        let row = row
        if row[Column.receiptData.rawValue].isEmpty, rows.text.span(rowStart..<rows.text.count).isASCII { return nil }
        for index in row.indices where index != Column.receiptData.rawValue && !row[index].isEmpty {
            let text = rows.text.span(row[index])
            if !text.isASCII, (try? UTF8Span(validating: text)) == nil { return Column(rawValue: index) }
        }
        return nil
    }

    private func trimmed(_ column: Column) -> Range<Int> {
        rows.text.withoutBlanks(row[column.rawValue])
    }

    private func repeatsHeader(_ header: TableHeader) -> Bool {
        header.columns.allSatisfy { column in
            guard let column, column != .deviceID || !header.hasSeveralDevices else { return true }
            return exportNames.column(named: rows.text.span(row[column.rawValue]))?.column == column
        }
    }

    private mutating func append(_ item: ClaimBlock.Item) {
        rows.append(item, row)
        if rows.areFull { full.append(rows.makeBlock(from: origin, pool)) }
    }
}
