import CXLSXWriter
import Encodings
import Files

/// A sheet of a workbook that is being written. Rows are written in order, from the first to the last.
@safe final class WorkbookSheet {
    let name: String
    let book: WorkbookFile
    private let sheet: UnsafeMutablePointer<lxw_worksheet>

    @unsafe init(_ sheet: UnsafeMutablePointer<lxw_worksheet>, named name: String, in book: WorkbookFile) {
        unsafe self.sheet = unsafe sheet
        self.name = name
        self.book = book
    }

    /// Writes text, and never anything that is obeyed: no formula, no link.
    ///
    /// - Parameter text: as ``WorkbookText`` leaves it, and a NUL behind it.
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

    func write(_ number: Double, row: Int, column: Int, _ style: WorkbookStyle = .plain) throws(FileError) {
        let format = unsafe try book.format(style)
        try book.check(unsafe worksheet_write_number(sheet, lxw_row_t(row), lxw_col_t(column), number, format))
    }

    /// Writes a number as a number if a spreadsheet can hold all of its digits, else as text.
    func write(_ number: Int, row: Int, column: Int, _ style: WorkbookStyle = .plain) throws(FileError) {
        if number.magnitude <= 999_999_999_999_999 {
            try write(Double(number), row: row, column: column, style)
        } else {
            try write(String(number), row: row, column: column)
        }
    }

    /// Writes a date as a date if a spreadsheet can hold it, else as text.
    func write(_ date: Instant, row: Int, column: Int, _ style: WorkbookStyle = .date) throws(FileError) {
        if let number = WorkbookDate.number(of: date) {
            try write(number, row: row, column: column, style)
        } else {
            try write(date.description, row: row, column: column)
        }
    }

    /// - Parameter width: in characters.
    func setWidth(_ width: Double, ofColumns columns: ClosedRange<Int>) throws(FileError) {
        let (first, last) = (lxw_col_t(columns.lowerBound), lxw_col_t(columns.upperBound))
        try book.check(unsafe worksheet_set_column(sheet, first, last, width, nil))
    }

    func setHeight(_ height: Double, ofRow row: Int) throws(FileError) {
        try book.check(unsafe worksheet_set_row(sheet, lxw_row_t(row), height, nil))
    }

    /// Keeps the first rows and columns in sight.
    func freeze(rows: Int, columns: Int = 0) {
        unsafe worksheet_freeze_panes(sheet, lxw_row_t(rows), lxw_col_t(columns))
    }

    /// Puts filters on the first row, for so many rows and columns.
    func filter(rows: Int, columns: Int) throws(FileError) {
        try book.check(unsafe worksheet_autofilter(sheet, 0, 0, lxw_row_t(rows - 1), lxw_col_t(columns - 1)))
    }

    /// Prints in landscape, with the first row on every page.
    func printWide() throws(FileError) {
        unsafe worksheet_set_landscape(sheet)
        unsafe worksheet_set_paper(sheet, 9)  // A4
        try book.check(unsafe worksheet_repeat_rows(sheet, 0, 0))
    }

    /// Prints in landscape, with all columns on the width of a page.
    func printFitted() {
        unsafe worksheet_set_landscape(sheet)
        unsafe worksheet_set_paper(sheet, 9)
        unsafe worksheet_fit_to_pages(sheet, 1, 0)
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
