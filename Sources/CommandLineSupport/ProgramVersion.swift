private import CBuild

/// The version of both programs.
public enum ProgramVersion {
    /// The version alone, as in reports and ledgers.
    public static let number = "0.3.0"

    /// The version, and the commit where `make` built the program: `0.3.0 (1a2b3c4)`.
    public static var text: String { commit.isEmpty ? number : "\(number) (\(commit))" }

    /// The commit; empty if `make` did not build the program.
    private static var commit: String {
        let octets = (0..<64).lazy.map { UInt8(truncatingIfNeeded: audit_commit_octet($0)) }.prefix { $0 != 0 }
        return String(decoding: Array(octets), as: UTF8.self)
    }
}
