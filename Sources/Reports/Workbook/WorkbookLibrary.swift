private import CXLSXWriter

/// The version of libxlsxwriter.
public enum WorkbookLibrary {
    public static var builtWith: String { LXW_VERSION }
    public static var inUse: String { unsafe String(cString: lxw_version()) }
}
