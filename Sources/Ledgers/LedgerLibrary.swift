private import GRDBSQLite

/// The library that reads and writes ledgers.
public enum LedgerLibrary {
    /// The version of SQLite that this was built with.
    public static var builtWith: String { SQLITE_VERSION }

    /// The version that is used.
    public static var inUse: String {
        let number = sqlite3_libversion_number()
        return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
    }
}
