import CXLSXWriter
import Encodings
import Files
private import Glibc

/// A workbook that is being written: libxlsxwriter's, owned.
///
/// Rows go to temporary files as they are written; the workbook itself is only made by ``close(asOf:)``.
@safe final class WorkbookFile {
    /// For messages: the path that was asked for.
    let path: String
    /// Where the workbook is made.
    private let target: String
    private let temporaryFolder: String
    private var book: UnsafeMutablePointer<lxw_workbook>?
    private var formats: [WorkbookStyle: UnsafeMutablePointer<lxw_format>] = unsafe [:]
    /// The sheets whose rows are in temporary files, by their number in the workbook.
    private var spooled: [(number: Int, sheet: UnsafeMutablePointer<lxw_worksheet>)] = unsafe []
    private var sheets = 0

    /// - Parameters:
    ///   - target: where the workbook is made; what is there is overwritten.
    ///   - path: what it is called in messages.
    ///   - folder: where temporary files go.
    init(_ target: String, for path: String, temporaryFolder folder: String) throws(FileError) {
        self.path = path
        self.target = target
        temporaryFolder = folder
        let made = unsafe folder.withCString { folder in
            // The library keeps a copy of the folder's name.
            var options = unsafe lxw_workbook_options(
                constant_memory: 1, tmpdir: UnsafeMutablePointer(mutating: folder), use_zip64: 0)
            return unsafe workbook_new_opt(target, &options)
        }
        guard let made = unsafe made else { throw FileError(.create, path, code: ENOMEM) }
        unsafe book = unsafe made
    }

    deinit {
        if let book = unsafe book { unsafe lxw_workbook_free(book) }
    }

    /// Adds a sheet behind the others.
    ///
    /// - Parameter isInMemory: whether its cells are kept, as charts want them, rather than spooled row by row.
    func addSheet(_ name: String, isInMemory: Bool = false) throws(FileError) -> WorkbookSheet {
        guard let sheet = unsafe audit_add_sheet(book, name, isInMemory ? 1 : 0) else {
            // It is the temporary file that could not be made, as long as the name is a good one.
            throw FileError(.create, "a temporary file for \(path)", code: errno == 0 ? EIO : errno)
        }
        sheets += 1
        if !isInMemory { unsafe spooled.append((sheets, sheet)) }
        return unsafe WorkbookSheet(sheet, named: name, in: self)
    }

    func addChart(_ type: lxw_chart_type) throws(FileError) -> UnsafeMutablePointer<lxw_chart> {
        guard let chart = unsafe workbook_add_chart(book, UInt8(type.rawValue)) else {
            throw FileError(.write, path, code: ENOMEM)
        }
        return unsafe chart
    }

    /// The format of a style; `nil` for the plain one.
    func format(_ style: WorkbookStyle) throws(FileError) -> UnsafeMutablePointer<lxw_format>? {
        if style == .plain { return nil }
        if let format = unsafe formats[style] { return unsafe format }
        guard let format = unsafe workbook_add_format(book) else { throw FileError(.write, path, code: ENOMEM) }
        unsafe style.apply(to: format)
        unsafe formats[style] = unsafe format
        return unsafe format
    }

    /// Makes the workbook of what was written.
    ///
    /// - Parameter asOf: what the workbook says of when it was made, so that the same run gives the same bytes.
    func close(asOf: Instant) throws(FileError) {
        try setProperties(asOf)
        var expected: [String: Int] = [:]
        for unsafe(number, sheet) in unsafe spooled {
            let size = unsafe audit_rows_size(sheet)
            guard size >= 0 else { throw FileError(.write, "a temporary file for \(path)", code: ENOSPC) }
            expected["xl/worksheets/sheet\(number).xml"] = Int(size)
        }
        // A part may have 4 GiB without it; some readers know nothing of larger ones.
        if expected.values.contains(where: { $0 > 3 << 30 }) { unsafe audit_use_zip64(book) }
        try reserveRoom()
        errno = 0
        let closed = unsafe book
        unsafe book = nil  // It is freed even if it cannot be written.
        let status = unsafe workbook_close(closed)
        let failure = errno
        try check(status)
        // The library does not look at what the disk says, but no call that succeeds sets this back.
        if [EIO, ENOSPC, EDQUOT, EFBIG].contains(failure) {
            throw FileError(.write, "a temporary file for \(path)", code: failure)
        }
        // The library copies the rows once more without a look at what the disk says to it.
        guard try FinishedArchive(target, for: path).hasParts(ofAtLeast: expected) else {
            throw FileError(.write, "a temporary file for \(path)", code: ENOSPC)
        }
    }

    /// Sees to it that there is room for the small parts, which the library writes without a look at what the disk says.
    private func reserveRoom() throws(FileError) {
        let room = [UInt8](repeating: 0, count: 4 << 20)
        try TemporaryFile(in: temporaryFolder).write(room.span, at: 0)
    }

    private func setProperties(_ asOf: Instant) throws(FileError) {
        // The library takes 0 for “now”, and cannot write years of five digits.
        let created = min(max(asOf.seconds, 1), WorkbookDate.last.seconds)
        let status = unsafe "App Store receipts".withCString { title in
            var properties = unsafe lxw_doc_properties()
            unsafe properties.title = unsafe UnsafeMutablePointer(mutating: title)
            unsafe properties.created = time_t(created)
            return unsafe workbook_set_properties(book, &properties)
        }
        try check(status)
    }

    /// Every call of the library that can fail is looked at.
    func check(_ status: lxw_error) throws(FileError) {
        switch status {
        case LXW_NO_ERROR: return
        case LXW_ERROR_MEMORY_MALLOC_FAILED: throw FileError(.write, path, code: ENOMEM)
        case LXW_ERROR_CREATING_XLSX_FILE, LXW_ERROR_CREATING_TMPFILE, LXW_ERROR_READING_TMPFILE,
            LXW_ERROR_ZIP_FILE_OPERATION, LXW_ERROR_ZIP_FILE_ADD, LXW_ERROR_ZIP_CLOSE:
            throw FileError(.write, path, code: errno == 0 ? EIO : errno)
        default: throw FileError(.write, path, code: EINVAL)
        }
    }
}
