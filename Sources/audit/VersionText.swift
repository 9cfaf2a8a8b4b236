import CommandLineSupport
import Engine
import Inputs
import Ledgers
import Proofs
import Reports
import SQLite

/// The output of `audit --version`: the version with the commit that it was built from, then the libraries in use.
enum VersionText {
    static var text: String {
        """
        \(ProgramVersion.text)
        OpenSSL \(OpenSSLVersion.inUse), SQLite \(SQLiteVersion.inUse), libcsv \(InputLibraries.csv), \
        zlib \(InputLibraries.zlibInUse), libxlsxwriter \(WorkbookLibrary.inUse), Expat \(XMLLibrary.inUse)
        """
    }
}
