private import CLibCSV
private import CZlib
internal import Glibc

/// Splits CSV into fields and rows with libcsv.
///
/// Rows may arrive in pieces of any size. The parser is in lenient mode, because a stray quote in one row must not end
/// the audit of all others.
@safe final class CSVSplitter {
    private let parser: UnsafeMutablePointer<csv_parser>
    private let collector: RowCollector

    init(_ collector: RowCollector) {
        self.collector = collector
        unsafe parser = .allocate(capacity: 1)
        unsafe parser.initialize(to: csv_parser())
        // Line breaks between rows are also reported, because the collector counts lines.
        _ = unsafe csv_init(parser, UInt8(CSV_REPALL_NL))
        unsafe csv_set_blk_size(parser, 64 << 10)
    }

    /// Sets the separator of cells, before anything is parsed.
    func separate(by separator: UInt8) { unsafe csv_set_delim(parser, separator) }

    deinit {
        unsafe csv_free(parser)
        unsafe parser.deallocate()
    }

    /// The length of the current field.
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

    /// Discards the bytes of the current field, and continues to search for its end.
    ///
    /// libcsv keeps enough to remove a closing quote and a blank, should they follow.
    func discardField() {
        unsafe parser.pointee.spaces = min(parser.pointee.spaces, 1)
        unsafe parser.pointee.entry_pos = min(parser.pointee.entry_pos, 2)
    }

    /// Discards the current row: the next byte begins another.
    func discardRow() {
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

/// The rows to which libcsv adds its fields. A reference, because C can hold nothing else.
final class RowCollector {
    var rows: TableRows

    init(_ rows: TableRows) { self.rows = rows }
}

private func onField(_ bytes: UnsafeMutableRawPointer?, _ count: Int, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    let field = unsafe UnsafeBufferPointer(start: bytes?.assumingMemoryBound(to: UInt8.self), count: count)
    let lineFeeds = unsafe lineFeeds(in: field)
    unsafe Unmanaged<RowCollector>.fromOpaque(context)._withUnsafeGuaranteedRef {
        unsafe $0.rows.addField(field.span, lineFeeds: lineFeeds)
    }
}

private func onRow(_ terminator: CInt, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<RowCollector>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.rows.endRow(terminator) }
}

/// Returns the number of line breaks. Mostly there are none, and memchr(3) is the fastest way to find that.
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

/// Reads small tables written by this program whole: RFC 4180, with libcsv.
public enum CSVRows {
    /// Returns the cells of a file that a spreadsheet may have saved: with a byte order mark, or with semicolons, where
    /// the comma is the decimal point.
    public static func read(saved bytes: [UInt8]) -> [[String]]? {
        let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
        let comma = UInt8(ascii: ",")
        return read(text, separator: text.prefix { $0 != 0x0a }.contains(comma) ? comma : UInt8(ascii: ";"))
    }

    /// Returns the cells of every row, the header's first; `nil` if it is not CSV.
    public static func read(_ bytes: [UInt8], separator: UInt8 = UInt8(ascii: ",")) -> [[String]]? {
        let rows = Rows()
        var parser = unsafe csv_parser()
        guard unsafe csv_init(&parser, UInt8(CSV_STRICT | CSV_STRICT_FINI)) == 0 else { return nil }
        defer { unsafe csv_free(&parser) }
        unsafe csv_set_delim(&parser, separator)
        let context = unsafe Unmanaged.passUnretained(rows).toOpaque()
        let count = unsafe bytes.withUnsafeBytes { bytes in
            unsafe csv_parse(&parser, bytes.baseAddress, bytes.count, onCell, onSmallRow, context)
        }
        guard count == bytes.count, unsafe csv_fini(&parser, onCell, onSmallRow, context) == 0 else { return nil }
        return rows.all
    }
}

private final class Rows {
    var all: [[String]] = []
    var row: [String] = []
}

private func onCell(_ bytes: UnsafeMutableRawPointer?, _ count: Int, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    let cell = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    let text = unsafe String(decoding: cell, as: UTF8.self)
    unsafe Unmanaged<Rows>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.row.append(text) }
}

private func onSmallRow(_ terminator: CInt, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<Rows>.fromOpaque(context)._withUnsafeGuaranteedRef {
        $0.all.append($0.row)
        $0.row.removeAll()
    }
}

/// The versions of the C libraries that read inputs.
public enum InputLibraries {
    /// libcsv. Its version is only known at build time.
    public static var csv: String { "\(CSV_MAJOR).\(CSV_MINOR).\(CSV_RELEASE)" }

    public static var zlibBuiltWith: String { ZLIB_VERSION }
    public static var zlibInUse: String { unsafe String(cString: zlibVersion()) }
}
