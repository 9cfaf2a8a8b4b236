import CXLSXWriter
import Encodings
import Files
private import Glibc

/// A workbook that is being written. Owns libxlsxwriter's workbook.
///
/// Rows go to temporary files as they are written; ``close(asOf:)`` makes the workbook.
@safe final class WorkbookFile {
    /// The path of the report, for messages.
    let path: String
    /// The path of the workbook under construction.
    private let target: String
    private let temporaryFolder: String
    private var book: UnsafeMutablePointer<lxw_workbook>?
    private var formats: [WorkbookStyle: UnsafeMutablePointer<lxw_format>] = unsafe [:]
    /// The sheets with rows in temporary files, and their numbers in the workbook.
    private var spooled: [(number: Int, sheet: UnsafeMutablePointer<lxw_worksheet>)] = unsafe []
    private var sheets = 0

    /// - Parameters:
    ///   - target: the path for the workbook; a file there is overwritten.
    ///   - path: the path of the report, for messages.
    ///   - folder: the folder for temporary files.
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

    /// Adds a sheet after the others.
    ///
    /// - Parameter isInMemory: whether its cells stay in memory, as charts need, instead of going to a file row by row.
    func addSheet(_ name: String, isInMemory: Bool = false) throws(FileError) -> WorkbookSheet {
        guard let sheet = unsafe audit_add_sheet(book, name, isInMemory ? 1 : 0) else {
            // The name is valid, so the temporary file could not be made.
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

    /// Returns the format of a style; `nil` for the plain one.
    func format(_ style: WorkbookStyle) throws(FileError) -> UnsafeMutablePointer<lxw_format>? {
        if style == .plain { return nil }
        if let format = unsafe formats[style] { return unsafe format }
        guard let format = unsafe workbook_add_format(book) else { throw FileError(.write, path, code: ENOMEM) }
        unsafe style.apply(to: format)
        unsafe formats[style] = unsafe format
        return unsafe format
    }

    /// Makes the workbook from the rows.
    ///
    /// - Parameter asOf: the time of creation in the workbook, so that the same run gives the same bytes.
    func close(asOf: Instant) throws(FileError) {
        try setProperties(asOf)
        var expected: [String: Int] = [:]
        for unsafe(number, sheet) in unsafe spooled {
            let size = unsafe audit_rows_size(sheet)
            guard size >= 0 else { throw FileError(.write, "a temporary file for \(path)", code: ENOSPC) }
            expected["xl/worksheets/sheet\(number).xml"] = Int(size)
        }
        // Without it a part may have up to 4 GiB; some readers do not support larger ones.
        if expected.values.contains(where: { $0 > 3 << 30 }) { unsafe audit_use_zip64(book) }
        try checkSpace()
        errno = 0
        let closed = unsafe book
        unsafe book = nil  // It is freed even if it cannot be written.
        let status = unsafe workbook_close(closed)
        let failure = errno
        try check(status)
        // The library ignores write errors, but no successful call resets this.
        if [EIO, ENOSPC, EDQUOT, EFBIG].contains(failure) {
            throw FileError(.write, "a temporary file for \(path)", code: failure)
        }
        // The library also ignores errors when it copies the rows.
        guard try FinishedArchive(target, for: path).hasParts(ofAtLeast: expected) else {
            throw FileError(.write, "a temporary file for \(path)", code: ENOSPC)
        }
    }

    /// Checks that the disk has space for the small parts, because the library ignores write errors.
    private func checkSpace() throws(FileError) {
        let space = [UInt8](repeating: 0, count: 4 << 20)
        try TemporaryFile(in: temporaryFolder).write(space.span, at: 0)
    }

    private func setProperties(_ asOf: Instant) throws(FileError) {
        // The library reads 0 as “now”, and cannot write years of five digits.
        let created = min(max(asOf.seconds, 1), WorkbookDate.last.seconds)
        let status = unsafe "App Store receipts".withCString { title in
            var properties = unsafe lxw_doc_properties()
            unsafe properties.title = unsafe UnsafeMutablePointer(mutating: title)
            unsafe properties.created = time_t(created)
            return unsafe workbook_set_properties(book, &properties)
        }
        try check(status)
    }

    /// Throws if a call of the library failed.
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

/// Makes the temporary files of libxlsxwriter: the linker finds this function before the library's own.
///
/// The library ignores write errors, and its own function resets `errno` for every part. This one does not, so a
/// failure is found when the workbook is closed. Its files have no names, so none can be left behind. If the library's
/// own function is linked after all, only this is lost.
@_cdecl("lxw_tmpfile")
public func makeWorkbookTemporaryFile(_ folder: UnsafePointer<CChar>?) -> OpaquePointer? {
    let earlier = errno
    let folder = unsafe folder.map { unsafe String(cString: $0) } ?? "/tmp"
    let descriptor = TemporaryFile.open(in: folder)
    guard descriptor >= 0 else { return nil }
    guard let file = unsafe fdopen(descriptor, "w+b") else {
        close(descriptor)
        return nil
    }
    errno = earlier
    return OpaquePointer(file)
}

/// Names the versions of libxlsxwriter.
public enum WorkbookLibrary {
    public static var builtWith: String { LXW_VERSION }
    public static var inUse: String { unsafe String(cString: lxw_version()) }
}
