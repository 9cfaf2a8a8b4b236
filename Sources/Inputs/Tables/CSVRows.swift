private import CLibCSV

/// Small tables of our own that are read back whole: RFC 4180, through libcsv.
public enum CSVRows {
    /// The cells of every row, the header's first; `nil` if it is not CSV.
    public static func read(_ bytes: [UInt8]) -> [[String]]? {
        let rows = Rows()
        var parser = unsafe csv_parser()
        guard unsafe csv_init(&parser, UInt8(CSV_STRICT | CSV_STRICT_FINI)) == 0 else { return nil }
        defer { unsafe csv_free(&parser) }
        let context = unsafe Unmanaged.passUnretained(rows).toOpaque()
        let count = unsafe bytes.withUnsafeBytes { bytes in
            unsafe csv_parse(&parser, bytes.baseAddress, bytes.count, onCell, onRow, context)
        }
        guard count == bytes.count, unsafe csv_fini(&parser, onCell, onRow, context) == 0 else { return nil }
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

private func onRow(_ terminator: CInt, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<Rows>.fromOpaque(context)._withUnsafeGuaranteedRef {
        $0.all.append($0.row)
        $0.row.removeAll()
    }
}
