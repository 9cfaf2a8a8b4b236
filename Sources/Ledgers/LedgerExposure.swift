private import Encodings
private import Files

/// Other users than the one that runs audits who can write a ledger, and so decide what later runs report, or read it.
///
/// The checksums in a ledger have no key: they detect a failing disk, but anybody can compute them. A ledger is trusted
/// like the policy. Whoever can read it knows its ``Ledger/contentKey``.
public struct LedgerExposure: Sendable {
    /// Who can write it, in words, for example `ledger.db can be written by everybody (mode 666)`.
    public let reasons: [String]
    /// Who can read it, in words; `nil` if not everybody can.
    public let readers: String?

    /// Reads the modes and owners of a ledger's files and of their folders.
    ///
    /// A sticky folder such as `/tmp` is no exception: others cannot replace the ledger there, but they can put a
    /// write-ahead log beside it (`-wal`), which SQLite applies.
    public init(of path: String) {
        var (reasons, readers): ([String], String?) = ([], nil)
        let folders = FileAccess.folders(of: path).compactMap { folder in FileAccess(folder).map { (folder, $0) } }
        for suffix in [""] + LedgerFiles.suffixes {
            guard let access = FileAccess(path + suffix) else { continue }
            let name = TerminalText.escaped(path + suffix)
            reasons += Self.reasons(name, access)
            if suffix.isEmpty, access.isReadableByOthers, folders.allSatisfy({ $0.1.isEnterableByOthers }) {
                readers = "\(name) can be read by everybody (mode \(access.modeText))"
            }
        }
        for (folder, access) in folders {
            reasons += Self.reasons("its folder \(TerminalText.escaped(folder))", access)
        }
        (self.reasons, self.readers) = (reasons, readers)
    }

    /// Returns a sentence with the problems and what to do about them; `nil` if there are none.
    public func warning(of path: String) -> String? {
        guard !reasons.isEmpty else { return readers.map { "\($0). \(Self.advice)" } }
        return """
            whoever can write the ledger \(TerminalText.escaped(path)) decides what is reported, and others can: \
            \(reasons.joined(separator: "; ")). Keep it in a folder of its own that only the user of the audit may \
            write (chmod 700), itself with chmod 600
            """
    }

    /// What to do about readers, and why.
    public static let advice = """
        It holds device ids, and the key by which known contents are recognised: whoever has it and submits claims could pass \
        a changed claim off as an unchanged one. chmod 600 it
        """

    private static func reasons(_ name: String, _ access: FileAccess) -> [String] {
        var reasons: [String] = []
        if access.isForeign { reasons.append("\(name) belongs to another user (uid \(access.owner))") }
        if access.isWritableByOthers {
            reasons.append("\(name) can be written by everybody (mode \(access.modeText))")
        } else if access.isWritableByGroup {
            reasons.append("\(name) can be written by its group (mode \(access.modeText))")
        }
        return reasons
    }
}
