private import Encodings
private import Files

/// The users other than the one running audits who can write a ledger, and so decide what later runs report.
///
/// The digest of a ledger has no key: it detects a failing disk, but anybody can compute it. A ledger is trusted
/// like the policy.
public struct LedgerExposure: Sendable {
    /// The users who can write it, as text, for example `ledger.db can be written by everybody (mode 666)`.
    public let reasons: [String]

    /// Reads the modes and owners of a ledger's files and of their folders.
    ///
    /// A sticky folder such as `/tmp` is not an exception: others can put a ledger there before the first run does.
    ///
    /// - Parameter isOfOwner: whether the ledger's owner runs the audits, for example if root inspects the ledger of a
    ///   service.
    public init(of path: String, isOfOwner: Bool = false) {
        let user = isOfOwner ? FileAccess(path)?.owner : nil
        var reasons: [String] = []
        for suffix in ["", LedgerFile.previous] {
            guard let access = FileAccess(path + suffix) else { continue }
            reasons += Self.reasons(TerminalText.escaped(path + suffix), access, of: user)
        }
        for folder in FileAccess.folders(of: path) {
            guard let access = FileAccess(folder) else { continue }
            reasons += Self.reasons("its folder \(TerminalText.escaped(folder))", access, of: user)
        }
        self.reasons = reasons
    }

    /// Returns a sentence with the problems and what to do about them; `nil` if there are none.
    public func warning(of path: String) -> String? {
        guard !reasons.isEmpty else { return nil }
        return """
            whoever can write the ledger \(TerminalText.escaped(path)) decides what reports say, and other users can \
            write it: \
            \(reasons.joined(separator: "; ")). Keep it in a folder of its own that only the user of the audit may \
            write (chmod 700), itself with chmod 600
            """
    }

    private static func reasons(_ name: String, _ access: FileAccess, of user: UInt32?) -> [String] {
        var reasons: [String] = []
        if access.isForeign, access.owner != user {
            reasons.append("\(name) belongs to another user (uid \(access.owner))")
        }
        if access.isWritableByOthers {
            reasons.append("\(name) can be written by everybody (mode \(access.modeText))")
        } else if access.isWritableByGroup {
            reasons.append("\(name) can be written by its group (mode \(access.modeText))")
        }
        return reasons
    }
}
