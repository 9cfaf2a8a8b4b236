/// Gathers fields into rows, and the rows into blocks.
///
/// Only cells of known columns are kept; each is copied once, into the arena of its block.
struct TableRows {
    /// Blocks that are ready to go.
    private(set) var full: [ClaimBlock] = []
    private(set) var header: TableHeader?
    private(set) var error: InputError?
    /// Where the table is damaged.
    private(set) var damages = Omissions()

    private let table: String
    private let folder: ConfinedDirectory?
    private let unnamed: UnnamedFiles?
    private let pool: BufferPool
    private var origin: ClaimOrigin
    private var rows: GatheredRows

    /// The line on which reading stands, and on which the row that has begun starts.
    private var line = 1
    private var rowLine = 1
    private var afterReturn = false
    private var names: [[UInt8]] = []
    /// The row that has begun: how many cells, how many bytes with a comma behind each cell, where its text starts in the
    /// arena.
    private var cell = 0
    private(set) var rowBytes = 0
    private var rowStart = 0
    private(set) var isTooLong = false
    private var row = Array(repeating: 0..<0, count: Column.count)

    /// Beyond this a row is no claim: base64 of the largest receipt, and room for the rest.
    static let longestRow = 12 << 20
    /// As many as a spreadsheet has. Of a header all names are held until it ends.
    static let maxColumns = 16_384

    init(table: String, folder: ConfinedDirectory?, unnamed: UnnamedFiles?, pool: BufferPool) {
        self.table = table
        self.folder = folder
        self.unnamed = unnamed
        self.pool = pool
        origin = ClaimOrigin(table: table, folder: folder)
        rows = GatheredRows(pool)
    }

    /// Takes a field, in memory that is libcsv's until this returns, and how many line breaks are in it.
    mutating func field(_ bytes: Span<UInt8>, lineFeeds: Int) {
        let index = cell
        cell += 1
        afterReturn = false
        // The comma counts too: a row may be nothing but commas, and what is held of a cell is more than one byte.
        rowBytes += bytes.count + 1
        line += lineFeeds
        guard rowBytes <= Self.longestRow, !isTooLong else { return giveUpRow() }
        guard let header else { return name(bytes) }
        guard index < header.columns.count, let column = header.columns[index] else { return }
        row[column.rawValue] = rows.text.append(bytes)
        // A path is handed to the system with a NUL behind it.
        if column == .file { rows.text.append(0) }
    }

    /// Takes a cell of the header.
    private mutating func name(_ bytes: Span<UInt8>) {
        guard names.count < Self.maxColumns else { return giveUpRow() }
        names.append(bytes.indices.map { bytes[$0] })
    }

    /// Ends the row, or counts a line break between two rows.
    mutating func endRow(_ terminator: CInt) {
        let isRow = cell > 0
        if isRow { takeRow() }
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

    /// Forgets the text of the row that has begun; it is one too long.
    mutating func giveUpRow() {
        isTooLong = true
        names = []
        forgetCells()
    }

    /// Ends the table with a row that cannot be read.
    mutating func endTorn(_ reason: String) {
        damages.add(InputDamage(source: "\(table):\(rowLine)", reason: reason))
        forgetCells()
        append(ClaimBlock.Item(line: rowLine, receipt: .fault(InputFault(.rowMalformed, reason))))
        startRow()
    }

    /// Notes what is wrong with the table as a whole.
    mutating func note(_ reason: String) { damages.add(InputDamage(source: table, reason: reason)) }

    /// Ends the row that has begun, which cannot be read, with its first line: it goes on with the next.
    mutating func breakRow(_ reason: String) {
        line = rowLine + 1
        afterReturn = false
        endTorn(reason)
    }

    /// Takes the next block that is ready; at the end of the table also one that is not full.
    mutating func take(atEnd: Bool) -> ClaimBlock? {
        if !full.isEmpty { return full.removeFirst() }
        guard atEnd, !rows.items.isEmpty else { return nil }
        return rows.takeBlock(from: origin, pool)
    }

    private mutating func forgetCells() {
        rows.text.cut(at: rowStart)
        for column in row.indices { row[column] = 0..<0 }
    }

    private mutating func startRow() {
        rowLine = line
        cell = 0
        rowBytes = 0
        rowStart = rows.text.count
        isTooLong = false
        for column in row.indices { row[column] = 0..<0 }
    }

    private mutating func takeRow() {
        guard let header else { return takeHeader() }
        guard !isTooLong else {
            let fault = InputFault(.receiptUnreadable, "a row over 12 MiB")
            return append(ClaimBlock.Item(line: rowLine, receipt: .fault(fault)))
        }
        let item = claim(under: header)
        if case .fault(let fault) = item.receipt, fault.kind == .rowMalformed { forgetCells() }
        append(item)
    }

    private mutating func takeHeader() {
        guard error == nil else { return }
        guard !isTooLong else {
            error = .headerTooLong(table: table, line: rowLine)
            return
        }
        do throws(InputError) {
            let header = try TableHeader(names, table: table, line: rowLine)
            self.header = header
            origin = ClaimOrigin(table: table, folder: folder, hasData: header.hasData)
        } catch {
            self.error = error
        }
        names = []
    }

    /// The row that has ended, if it can be read.
    private mutating func claim(under header: TableHeader) -> ClaimBlock.Item {
        var item = ClaimBlock.Item(line: rowLine)
        guard cell == header.columns.count else {
            let reason = "\(cell) cells, where the header has \(header.columns.count)"
            item.receipt = .fault(InputFault(.rowMalformed, reason))
            return item
        }
        if repeatsHeader(header) {
            item.receipt = .fault(InputFault(.rowMalformed, "the header once more"))
            return item
        }
        let path = trimmed(.file)
        if !path.isEmpty { item.receipt = named(path, &item) }
        if !trimmed(.receiptData).isEmpty {
            item.receipt = .inText
            row[Column.file.rawValue] = 0..<0
        } else if path.isEmpty, !header.hasData {
            item.receipt = .fault(InputFault(.rowMalformed, "names neither a file nor a receipt"))
        }
        return item
    }

    /// Notes that the row names a file.
    private mutating func named(_ path: Range<Int>, _ item: inout ClaimBlock.Item) -> ClaimBlock.Receipt {
        var path = path
        row[Column.file.rawValue] = path
        if !RelativePath.isPlain(rows.text.span(path)) {
            if let objection = rows.text.objection(toPath: path) { return .fault(objection) }
            path = RelativePath.normalise(path, in: &rows.text)
            if path.isEmpty { return .fault(.folder) }
            row[Column.file.rawValue] = path
        }
        rows.text[path.upperBound] = 0
        item.path = path
        let text = rows.text
        unnamed?.note(rowOf: text.span(path))
        return .inFile
    }

    private func trimmed(_ column: Column) -> Range<Int> {
        rows.text.withoutBlanks(row[column.rawValue])
    }

    private func repeatsHeader(_ header: TableHeader) -> Bool {
        header.columns.allSatisfy { column in
            guard let column else { return true }
            return rows.text.column(named: row[column.rawValue]) == column
        }
    }

    private mutating func append(_ item: ClaimBlock.Item) {
        rows.items.append(item)
        rows.cells.append(contentsOf: row)
        if rows.areEnough { full.append(rows.takeBlock(from: origin, pool)) }
    }
}
