import CXLSXWriter
import Encodings
import Files

/// A sheet of a workbook that is being written. Rows must be written in order.
@safe final class WorkbookSheet {
    let name: String
    let book: WorkbookFile
    /// The number of cells with links.
    private(set) var links = 0
    private let sheet: UnsafeMutablePointer<lxw_worksheet>

    @unsafe init(_ sheet: UnsafeMutablePointer<lxw_worksheet>, named name: String, in book: WorkbookFile) {
        unsafe self.sheet = unsafe sheet
        self.name = name
        self.book = book
    }

    /// Writes text as text, never as a formula or a link.
    ///
    /// - Parameter text: text from ``WorkbookText``, with a NUL.
    func write(_ text: Span<UInt8>, row: Int, column: Int, _ style: WorkbookStyle = .plain) throws(FileError) {
        let format = unsafe try book.format(style)
        guard text.count > 1, text[text.count - 1] == 0 else { return }
        try book.check(
            unsafe text.withUnsafeBytes { text in
                unsafe worksheet_write_string(
                    sheet, lxw_row_t(row), lxw_col_t(column), text.assumingMemoryBound(to: CChar.self).baseAddress,
                    format
                )
            })
    }

    func write(_ text: String, row: Int, column: Int, _ style: WorkbookStyle = .plain) throws(FileError) {
        var bytes: [UInt8] = []
        WorkbookText.append(text, to: &bytes)
        bytes.append(0)
        try write(bytes.span, row: row, column: column, style)
    }

    /// Writes text with a link to a place in the workbook.
    ///
    /// - Parameter text: text from ``WorkbookText``, with a NUL.
    func write(_ text: Span<UInt8>, row: Int, column: Int, leadingTo place: Place) throws(FileError) {
        guard text.count <= Self.maxLinkText else {
            try link(row: row, column: column, to: place)
            return try write(text, row: row, column: column, .link)
        }
        let format = unsafe try book.format(.link)
        guard text.count > 1, text[text.count - 1] == 0 else { return }
        links += 1
        try book.check(
            unsafe text.withUnsafeBytes { text in
                unsafe worksheet_write_url_opt(
                    sheet, lxw_row_t(row), lxw_col_t(column), place.url, format,
                    text.assumingMemoryBound(to: CChar.self).baseAddress, nil)
            })
    }

    func write(_ text: String, row: Int, column: Int, leadingTo place: Place) throws(FileError) {
        var bytes: [UInt8] = []
        WorkbookText.append(text, to: &bytes)
        bytes.append(0)
        try write(bytes.span, row: row, column: column, leadingTo: place)
    }

    /// Sets the link of a cell that is written in the style of a link.
    func link(row: Int, column: Int, to place: Place) throws(FileError) {
        let format = unsafe try book.format(.link)
        links += 1
        try book.check(unsafe audit_link(sheet, lxw_row_t(row), lxw_col_t(column), place.url, format))
    }

    func write(_ number: Double, row: Int, column: Int, _ style: WorkbookStyle = .plain) throws(FileError) {
        let format = unsafe try book.format(style)
        try book.check(unsafe worksheet_write_number(sheet, lxw_row_t(row), lxw_col_t(column), number, format))
    }

    /// Writes a number as a number if a spreadsheet can hold all of its digits, otherwise as text.
    func write(_ number: Int, row: Int, column: Int, _ style: WorkbookStyle = .plain) throws(FileError) {
        if number.magnitude <= 999_999_999_999_999 {
            try write(Double(number), row: row, column: column, style)
        } else {
            try write(String(number), row: row, column: column)
        }
    }

    /// Writes a date as a date if a spreadsheet can hold it, otherwise as text.
    func write(_ date: Instant, row: Int, column: Int, _ style: WorkbookStyle = .date) throws(FileError) {
        if let number = WorkbookDate.number(of: date) {
            try write(number, row: row, column: column, style)
        } else {
            try write(date.description, row: row, column: column)
        }
    }

    /// - Parameter width: the width in characters.
    func setWidth(_ width: Double, ofColumns columns: ClosedRange<Int>) throws(FileError) {
        let (first, last) = (lxw_col_t(columns.lowerBound), lxw_col_t(columns.upperBound))
        try book.check(unsafe worksheet_set_column(sheet, first, last, width, nil))
    }

    func setHeight(_ height: Double, ofRow row: Int) throws(FileError) {
        try book.check(unsafe worksheet_set_row(sheet, lxw_row_t(row), height, nil))
    }

    /// Keeps the first rows visible while the sheet scrolls.
    func freeze(rows: Int) {
        unsafe worksheet_freeze_panes(sheet, lxw_row_t(rows), 0)
    }

    /// Makes the first rows a table, which can be sorted, filtered and named in formulas.
    ///
    /// - Parameters:
    ///   - rows: their number, including the header.
    ///   - headers: the texts of the first row.
    func makeTable(rows: Int, headers: [String]) throws(FileError) {
        let name = self.name.replacing(" ", with: "_")
        // A table needs a row in addition to its header, even an empty one.
        let (rows, count) = (lxw_row_t(max(rows, 2)), lxw_col_t(headers.count))
        try book.check(unsafe CStrings(headers).with { unsafe audit_add_table(sheet, name, rows, count, $0) })
    }

    /// Restricts the cells of a column below the header to a list of words.
    func offer(_ words: [String], column: Int, rows: Int) throws(FileError) {
        guard rows > 1 else { return }
        try book.check(
            unsafe CStrings(words).with { unsafe audit_offer(sheet, lxw_col_t(column), lxw_row_t(rows - 1), $0) })
    }

    /// Sets printing to landscape, with all columns on one page and the first row on every page.
    func printWide() throws(FileError) {
        printFitted()
        try book.check(unsafe worksheet_repeat_rows(sheet, 0, 0))
    }

    /// Sets printing to landscape, with all columns on one page.
    func printFitted() {
        unsafe worksheet_set_landscape(sheet)
        setPaper()
        unsafe worksheet_fit_to_pages(sheet, 1, 0)
    }

    /// Sets A4, with margins in inches as narrow as printers allow.
    private func setPaper() {
        unsafe worksheet_set_paper(sheet, 9)
        unsafe worksheet_set_margins(sheet, 0.4, 0.4, 0.5, 0.5)
    }

    /// Prints the first columns alone.
    func printOnly(columns: Int, rows: Int) throws(FileError) {
        try book.check(
            unsafe worksheet_print_area(sheet, 0, 0, lxw_row_t(max(rows, 1) - 1), lxw_col_t(max(columns, 1) - 1)))
    }

    func hideGrid() { unsafe worksheet_gridlines(sheet, UInt8(LXW_HIDE_ALL_GRIDLINES.rawValue)) }

    func insert(_ chart: UnsafeMutablePointer<lxw_chart>, row: Int, offset: Int, scale: (Double, Double))
        throws(FileError)
    {
        var options = unsafe lxw_chart_options()
        unsafe options.x_offset = Int32(offset)
        unsafe options.x_scale = scale.0
        unsafe options.y_scale = scale.1
        try book.check(unsafe worksheet_insert_chart_opt(sheet, lxw_row_t(row), 0, chart, &options))
    }
}

extension WorkbookSheet {
    /// The maximum number of cells with links: Excel has at most 65,530 on a sheet.
    static let maxLinks = 65_000
    /// The length of a text, in bytes, up to which a link repeats it: the library cuts it at 2,080 bytes with its escapes,
    /// also within a character.
    private static let maxLinkText = 340

    /// A cell of a sheet, both from 0.
    struct Place {
        let sheet: String
        let row: Int

        /// The link in the library's form. Names of sheets are our own, and need only quotes.
        fileprivate var url: String { "internal:'\(sheet)'!A\(row + 1)" }
    }
}

/// Texts for a call of C.
@safe private struct CStrings {
    private let texts: [[CChar]]

    init(_ texts: [String]) { self.texts = texts.map { Array($0.utf8CString) } }

    /// Calls a body with a NULL-terminated array of them.
    func with<Result>(_ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result) -> Result {
        let copies = unsafe texts.map { text in
            let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: text.count)
            _ = unsafe copy.initialize(from: text)
            return unsafe copy
        }
        defer { unsafe copies.forEach { unsafe $0.deallocate() } }
        let list = unsafe copies.map { unsafe UnsafePointer($0.baseAddress) } + [nil]
        return unsafe list.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
    }
}

/// Converts dates to spreadsheet numbers: days since the end of 1899.
enum WorkbookDate {
    /// The first date on which all programs agree: Excel has a February 29 in 1900, others do not.
    static let first = Instant(seconds: -2_203_891_200)
    /// 9999-12-31T23:59:59Z.
    static let last = Instant(seconds: 253_402_300_799)

    /// Returns the date to the second, in UTC; `nil` if a spreadsheet cannot hold it.
    static func number(of date: Instant) -> Double? {
        guard (first.seconds...last.seconds).contains(date.seconds) else { return nil }
        // 1970-01-01 is day 25,569.
        return 25_569 + Double(date.seconds) / 86_400
    }
}
