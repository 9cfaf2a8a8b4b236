private import CLibCSV
internal import Glibc

/// Splits CSV into fields and rows: libcsv, owned.
///
/// Rows may arrive in pieces of any size. The parser is the lenient one, because a stray quote
/// in one row must not end the audit of all the others.
@safe final class CSVSplitter {
    private let parser: UnsafeMutablePointer<csv_parser>
    private let collector: RowCollector

    init(_ collector: RowCollector) {
        self.collector = collector
        unsafe parser = .allocate(capacity: 1)
        unsafe parser.initialize(to: csv_parser())
        // Line breaks between rows are reported too: the collector counts lines.
        _ = unsafe csv_init(parser, UInt8(CSV_REPALL_NL))
        unsafe csv_set_blk_size(parser, 64 << 10)
    }

    deinit {
        unsafe csv_free(parser)
        unsafe parser.deallocate()
    }

    /// How long the field is that has begun and not ended.
    var pending: Int { unsafe parser.pointee.entry_pos }

    /// Whether the next byte is the first of a row.
    var isAtRowStart: Bool { unsafe parser.pointee.pstate == 0 && parser.pointee.quoted == 0 }

    /// Feeds the next bytes of the table to csv_parse(3); `false` if libcsv is out of memory.
    func parse(_ input: ByteArena, _ range: Range<Int>) -> Bool {
        let bytes = input.span(range)
        return unsafe bytes.withUnsafeBytes { bytes in
            unsafe csv_parse(parser, bytes.baseAddress, bytes.count, onField, onRow, context) == bytes.count
        }
    }

    /// Forgets what it holds of the field that has begun, and goes on looking for its end.
    ///
    /// What libcsv keeps is enough to take off a closing quote and a blank, should they be next.
    func forgetField() {
        unsafe parser.pointee.spaces = min(parser.pointee.spaces, 1)
        unsafe parser.pointee.entry_pos = min(parser.pointee.entry_pos, 2)
    }

    /// Forgets the row that has begun: what comes next is the first byte of another.
    func forgetRow() {
        unsafe parser.pointee.pstate = 0
        unsafe parser.pointee.quoted = 0
        unsafe parser.pointee.spaces = 0
        unsafe parser.pointee.entry_pos = 0
    }

    /// Ends the last row with csv_fini(3); `false` if a quote is still open.
    func finish() -> Bool {
        defer { _ = unsafe csv_set_opts(parser, UInt8(CSV_REPALL_NL)) }
        _ = unsafe csv_set_opts(parser, UInt8(CSV_REPALL_NL | CSV_STRICT | CSV_STRICT_FINI))
        return unsafe csv_fini(parser, onField, onRow, context) == 0
    }

    private var context: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(collector).toOpaque() }
}

/// The rows that libcsv hands its fields to: a reference, because C can hold no other.
final class RowCollector {
    var rows: TableRows

    init(_ rows: TableRows) { self.rows = rows }
}

private func onField(_ bytes: UnsafeMutableRawPointer?, _ count: Int, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    let field = unsafe UnsafeBufferPointer(start: bytes?.assumingMemoryBound(to: UInt8.self), count: count)
    let lineFeeds = unsafe lineFeeds(in: field)
    unsafe Unmanaged<RowCollector>.fromOpaque(context)._withUnsafeGuaranteedRef {
        unsafe $0.rows.field(field.span, lineFeeds: lineFeeds)
    }
}

private func onRow(_ terminator: CInt, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<RowCollector>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.rows.endRow(terminator) }
}

/// How many line breaks there are. Mostly none: memchr(3) sees that fastest.
private func lineFeeds(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard var start = unsafe UnsafeRawPointer(bytes.baseAddress) else { return 0 }
    let end = unsafe start + bytes.count
    var count = 0
    while unsafe start < end, let found = unsafe memchr(start, 0x0a, end - start) {
        count += 1
        unsafe start = UnsafeRawPointer(found) + 1
    }
    return count
}
