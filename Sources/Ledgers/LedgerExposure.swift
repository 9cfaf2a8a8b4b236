private import Encodings
private import Files

/// Who besides the user that runs audits can write a ledger, and so decides what later runs say.
///
/// The checksums in a ledger have no key: they notice a failing disk, and anybody can compute them. A ledger is trusted as the
/// policy is.
public struct LedgerExposure: Sendable {
    /// What is wrong, each in words for people: `ledger.db can be written by everybody (mode 666)`.
    public let reasons: [String]

    /// Looks at the modes and owners of a ledger's files and of their folder.
    ///
    /// A sticky folder such as `/tmp` is no exception: others cannot replace the ledger there, but they can put a log of
    /// changes beside it (`-wal`), which SQLite applies.
    public init(of path: String) {
        var reasons: [String] = []
        for suffix in [""] + LedgerFiles.suffixes {
            guard let access = FileAccess(path + suffix) else { continue }
            reasons += Self.reasons(TerminalText.escaped(path + suffix), access)
        }
        for folder in FileAccess.folders(of: path) {
            guard let access = FileAccess(folder) else { continue }
            reasons += Self.reasons("its folder \(TerminalText.escaped(folder))", access)
        }
        self.reasons = reasons
    }

    /// One sentence with all reasons and what to do; `nil` if there are none.
    public func warning(of path: String) -> String? {
        guard !reasons.isEmpty else { return nil }
        return """
            whoever can write the ledger \(TerminalText.escaped(path)) decides what is reported, and others can: \
            \(reasons.joined(separator: "; ")). Keep it in a folder of its own that only the user of the audit may write \
            (chmod 700), itself with chmod 600
            """
    }

    private static func reasons(_ name: String, _ access: FileAccess) -> [String] {
        var reasons: [String] = []
        if access.isForeign { reasons.append("\(name) belongs to another user (uid \(access.owner))") }
        let mode = String(access.mode, radix: 8)
        if access.isWritableByOthers {
            reasons.append("\(name) can be written by everybody (mode \(mode))")
        } else if access.isWritableByGroup {
            reasons.append("\(name) can be written by its group (mode \(mode))")
        }
        return reasons
    }
}
