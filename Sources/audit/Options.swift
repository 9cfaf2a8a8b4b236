public import ArgumentParser
public import Encodings
import Files
import FoundationEssentials
import Proofs

/// The option `--as-of`: the instant the audit is made for. Shared by all commands that judge receipts.
struct AsOfOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Checker as of this time: RFC 3339, or a date, which is its midnight in UTC. (default: now)",
            valueName: "time"))
    var asOf: Instant?

    /// The instant that was asked for, or now: ask once. In whole seconds, as reports say it, so that a run can be repeated.
    func orNow() -> Instant { asOf ?? Clock.now.wholeSeconds }
}

/// The one place that reads the clock.
enum Clock {
    static var now: Instant { Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))) }
}

extension Instant: ExpressibleByArgument {
    /// Reads `2026-06-30T12:00:00Z`, any other RFC 3339 time, or `2026-06-30`: midnight in UTC.
    public init?(argument: String) {
        let text = argument.utf8.count == 10 ? argument + "T00:00:00Z" : argument
        guard let instant = Instant(rfc3339: text) else { return nil }
        self = instant.wholeSeconds
    }

    /// The last full second.
    fileprivate var wholeSeconds: Instant {
        let rest = milliseconds % 1000
        return Instant(milliseconds: milliseconds - (rest < 0 ? rest + 1000 : rest))
    }
}

/// The option `--root`: which roots to trust. Shared by all commands that verify receipts.
struct TrustOptions: ParsableArguments {
    @Option(
        name: .customLong("root"),
        help: ArgumentHelp(
            "Trust this root certificate (DER or PEM, RSA) instead of Apple's. Repeat for more.", valueName: "file"))
    var roots: [String] = []

    /// The roots in the named files, or Apple's three if none is named.
    ///
    /// - Throws: `FileError` or `TrustAnchorError`, each a message for the person who named the file.
    func anchors() throws -> TrustAnchors { try Self.anchors(in: roots) }

    /// The same for files that are named elsewhere.
    static func anchors(in roots: [String]) throws -> TrustAnchors {
        guard !roots.isEmpty else { return try .apple() }
        return try TrustAnchors(files: roots.map { path in (name: path, bytes: try bytes(of: path)) })
    }

    /// One file, which is not larger than any bundle of roots could be.
    private static func bytes(of path: String) throws -> [UInt8] {
        let limit = 1 << 20
        let bytes = try FileContents.bytes(of: path, limit: limit)
        guard bytes.count <= limit else { throw TrustAnchorError.unreadable(file: path, reason: "over 1 MiB") }
        return bytes
    }
}

/// The key of `--pseudonymise KEYFILE`: the bytes of a file, as they are.
struct PseudonymKey {
    let bytes: [UInt8]
    /// What is to be said about the file, if anything is.
    let warning: String?

    /// Why a file is no key.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    private static let lengths = 16...65_536

    init(readingFrom path: String) throws {
        bytes = try FileContents.bytes(of: path, limit: Self.lengths.upperBound)
        let name = TerminalText.escaped(path)
        guard bytes.count >= Self.lengths.lowerBound else {
            throw Refusal(
                description: "\(name): a key has at least 16 bytes, not \(bytes.count); "
                    + "make one with: (umask 077; head -c 32 /dev/urandom > KEYFILE)")
        }
        guard bytes.count <= Self.lengths.upperBound else { throw Refusal(description: "\(name): is over 64 KiB") }
        warning =
            FileContents.isOpenToOthers(path)
            ? "\(name) can be read by others, who can then tell whose pseudonym is whose; chmod 600 it" : nil
    }

    /// What a ledger knows of the key, so that it is not used with another.
    static func fingerprint(of key: [UInt8]) throws -> [UInt8] {
        try KeyedHash(key: key).hash(of: Array("audit ledger".utf8))
    }
}
