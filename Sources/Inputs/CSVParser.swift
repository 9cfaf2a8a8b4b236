private import CLibCSV

/// Splits CSV into rows by libcsv, fed in pieces of any size.
///
/// libcsv calls back once a field and once a line break; a field may straddle two pieces. It reads leniently,
/// so that a stray quote costs a field and not the file. It keeps a field until it ends, however long; what is
/// too long to be ours is dropped on the way, so that memory stays bounded.
@safe final class CSVParser {
    private var parser = unsafe csv_parser()
    private var row = CSVRow(line: 1)
    private var line = 1
    private let onRow: (CSVRow) -> Void

    /// - Parameter onRow: takes each row; it must not keep it.
    init(onRow: @escaping (CSVRow) -> Void) throws(InputError) {
        self.onRow = onRow
        guard unsafe csv_init(&parser, UInt8(CSV_REPALL_NL)) == 0 else { throw .outOfMemory }
    }

    deinit { unsafe csv_free(&parser) }

    func feed(_ piece: Span<UInt8>) throws(InputError) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let read = unsafe piece.withUnsafeBufferPointer { bytes in
            unsafe csv_parse(&parser, bytes.baseAddress, bytes.count, fieldEnded, lineEnded, context)
        }
        guard read == piece.count else { throw .outOfMemory }
        boundField()
    }

    /// Tells that the last piece was fed.
    func finish() throws(InputError) {
        // Inside a quoted field: its closing quote never came. (2: libcsv's FIELD_BEGUN.)
        if unsafe parser.pstate == 2, unsafe parser.quoted != 0 { row.isTorn = true }
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        guard unsafe csv_fini(&parser, fieldEnded, lineEnded, context) == 0 else { throw .outOfMemory }
    }

    /// Drops what libcsv holds of a field that is too long. One byte and no blanks are left of it, which is
    /// consistent in each of libcsv's states.
    private func boundField() {
        guard unsafe parser.entry_pos > CSVRow.byteLimit else { return }
        row.isTooLong = true
        unsafe parser.entry_pos = 1
        unsafe parser.spaces = 0
    }

    fileprivate func endField(_ bytes: UnsafeRawBufferPointer) {
        unsafe row.append(bytes)
        unsafe line += bytes.count { $0 == 0x0a }
    }

    /// A line break outside quotes; -1 for the end of the file.
    fileprivate func endLine(_ terminator: CInt) {
        if !row.fields.isEmpty { onRow(row) }
        if terminator == 0x0a { line += 1 }
        row.restart(line: line)
    }
}

private func fieldEnded(_ bytes: UnsafeMutableRawPointer?, _ count: Int, _ context: UnsafeMutableRawPointer?) {
    unsafe parser(context).endField(UnsafeRawBufferPointer(start: bytes, count: count))
}

private func lineEnded(_ terminator: CInt, _ context: UnsafeMutableRawPointer?) {
    unsafe parser(context).endLine(terminator)
}

/// Our parser, which libcsv carries as a `void *`.
private func parser(_ context: UnsafeMutableRawPointer?) -> CSVParser {
    guard let context = unsafe context else { preconditionFailure("libcsv lost its context") }
    return unsafe Unmanaged<CSVParser>.fromOpaque(context).takeUnretainedValue()
}

/// One row of a table.
struct CSVRow {
    /// What a row may hold: a receipt at its limit in base64, and some words.
    static let byteLimit = 12 << 20

    /// The line on which it starts, counted from 1.
    private(set) var line: Int
    /// The fields, one after the other.
    private(set) var bytes: [UInt8] = []
    private(set) var fields: [Range<Int>] = []
    /// It was over ``byteLimit`` and is not complete.
    var isTooLong = false
    /// The file ended inside a quoted field.
    var isTorn = false

    init(line: Int) { self.line = line }

    fileprivate mutating func append(_ field: UnsafeRawBufferPointer) {
        let start = bytes.count
        if start + field.count > Self.byteLimit { isTooLong = true }
        if !isTooLong { unsafe bytes.append(contentsOf: field) }
        fields.append(start..<bytes.count)
    }

    fileprivate mutating func restart(line: Int) {
        self.line = line
        bytes.removeAll(keepingCapacity: bytes.count < 1 << 20)
        fields.removeAll(keepingCapacity: fields.count < 1024)
        isTooLong = false
        isTorn = false
    }
}
