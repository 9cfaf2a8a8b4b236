import CBuild
import Engine
import Inputs
import Ledgers
import Proofs
import Reports

/// What `audit --version` says: the version with the commit that it was built from, then the libraries in use.
enum VersionText {
    static var text: String {
        """
        \(Audit.version)\(commit.isEmpty ? "" : " (\(commit))")
        OpenSSL \(OpenSSLVersion.inUse), SQLite \(LedgerLibrary.inUse), libcsv \(InputLibraries.csv), \
        zlib \(InputLibraries.zlibInUse), libxlsxwriter \(WorkbookLibrary.inUse), Expat \(XMLLibrary.inUse)
        """
    }

    /// The commit; empty where `make` did not build the program.
    private static var commit: String {
        let octets = (0..<64).lazy.map { UInt8(truncatingIfNeeded: audit_commit_octet($0)) }.prefix { $0 != 0 }
        return String(decoding: Array(octets), as: UTF8.self)
    }
}
