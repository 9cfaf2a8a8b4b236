import ArgumentParser
import Checks
import Encodings
import Files
import FoundationEssentials
import Ledgers
import Policies
import Proofs
import Rules

/// The option `--as-of` of all commands that check receipts: the reference time.
struct AsOfOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The reference time of all checks: RFC 3339, or a date for its midnight in UTC. (default: now)",
            valueName: "time"))
    var asOf: Instant?

    /// Returns the reference time, or now, in whole seconds as in reports, so that a run can be repeated. Call it once.
    func orNow() -> Instant { asOf ?? Clock.now.wholeSeconds }
}

/// The one place that reads the clock.
enum Clock {
    static var now: Instant { Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))) }
}

/// The option `--root` of all commands that verify receipts: the trusted roots.
struct TrustOptions: ParsableArguments {
    @Option(
        name: .customLong("root"),
        help: ArgumentHelp(
            "Trust this root certificate (DER or PEM) instead of Apple's. Repeat for more.", valueName: "file"))
    var roots: [String] = []

    /// Returns the roots in the named files, or Apple's three if no files are named.
    ///
    /// - Throws: `FileError` or `TrustAnchorError`.
    func anchors() throws -> TrustAnchors { try Self.anchors(in: roots) }

    /// Returns the roots in files, or Apple's three if there are none.
    static func anchors(in roots: [String]) throws -> TrustAnchors {
        guard !roots.isEmpty else { return try .apple() }
        return try TrustAnchors(files: roots.map { path in (name: path, bytes: try bytes(of: path)) })
    }

    /// Returns the bytes of a file, which must not be over 1 MiB: any bundle of roots is smaller.
    private static func bytes(of path: String) throws -> [UInt8] {
        let limit = 1 << 20
        let bytes = try FileContents.bytes(of: path, limit: limit)
        guard bytes.count <= limit else { throw TrustAnchorError.unreadable(file: path, reason: "over 1 MiB") }
        return bytes
    }
}

/// The key of `--pseudonymise KEYFILE`: the bytes of the file.
struct PseudonymKey {
    let bytes: [UInt8]
    /// A warning about the mode of the file, if others can read it.
    let warning: String?

    private static let lengths = 16...65_536

    init(readingFrom path: String) throws {
        bytes = try FileContents.bytes(of: path, limit: Self.lengths.upperBound)
        let name = TerminalText.escaped(path)
        guard bytes.count >= Self.lengths.lowerBound else {
            throw CommandError(
                "\(name): a key has at least 16 bytes, not \(bytes.count); "
                    + "make one with: (umask 077; head -c 32 /dev/urandom > KEYFILE)")
        }
        guard bytes.count <= Self.lengths.upperBound else { throw CommandError("\(name): is over 64 KiB") }
        warning =
            FileAccess(path)?.isReadableByOthers == true
            ? "\(name) can be read by others, who can then reverse the pseudonyms; chmod 600 it" : nil
    }

    /// Returns the hash of the key in a ledger, which prevents its use with another key.
    static func fingerprint(of key: [UInt8]) throws -> [UInt8] {
        try KeyedHash(key: key).hash(of: Array("audit ledger".utf8))
    }

    /// Reads the key in a file, and warns if others can read it.
    static func warningKey(in path: String) throws -> PseudonymKey {
        let key = try PseudonymKey(readingFrom: path)
        if let warning = key.warning { Console().say("audit: warning: \(warning)") }
        return key
    }

    /// Returns the key in a file, if it is the key of a ledger.
    ///
    /// Warns if others can read the file.
    static func key(in path: String, ofLedger ledger: String) throws -> [UInt8] {
        let key = try warningKey(in: path)
        guard try LedgerHistory(ledger).origin?.pseudonymKey == fingerprint(of: key.bytes) else {
            let (file, ledger) = (TerminalText.escaped(path), TerminalText.escaped(ledger))
            throw CommandError("\(file): is not the key of the ledger \(ledger)")
        }
        return key.bytes
    }
}

extension PolicyFile {
    /// Reads a policy, or returns the standard one if there is no path.
    ///
    /// - Returns: the policy, and the SHA-256 of its file, which is empty without a file.
    static func read(_ path: String?) throws -> (policy: Policy, sha256: String) {
        guard let path else { return (Policy(), "") }
        let bytes = try FileContents.bytes(of: path, limit: limit)
        return (try read(bytes: bytes, name: path), try Digest.sha256Hex(of: bytes))
    }

    /// Reads a policy, and replaces the ids in its allowances with pseudonyms if there is a key.
    static func read(_ path: String?, pseudonyms key: PseudonymKey?) throws -> (policy: Policy, sha256: String) {
        var (policy, digest) = try read(path)
        guard let key else { return (policy, digest) }
        let pseudonyms = try Pseudonyms(key: key.bytes)
        for index in policy.allowances.indices {
            policy.allowances[index].subject = pseudonyms.subject(policy.allowances[index].subject)
        }
        if let failure = pseudonyms.failure { throw failure }
        return (policy, digest)
    }
}
