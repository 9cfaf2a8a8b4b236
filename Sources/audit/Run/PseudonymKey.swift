import Encodings
import Files
import Proofs

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
