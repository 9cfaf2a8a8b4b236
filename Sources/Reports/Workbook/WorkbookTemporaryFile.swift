private import Files
private import Glibc

/// The temporary files of libxlsxwriter, which are ours: the linker finds this function before the library's own.
///
/// The library writes its parts without a look at what the disk says, and its own function sets `errno` back for every
/// part. This one leaves a failure standing, so that it can be seen when the workbook is closed; and its files never have
/// a name that could be left behind. Where the library's own is taken after all, only that is missed.
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
