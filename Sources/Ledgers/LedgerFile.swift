private import Encodings
internal import Files
import SQLite

/// The file of a ledger: a database, and behind it a digest of all its bytes.
///
/// It is never changed in place (``LedgerChange``): a reader sees one state, and a killed process leaves it as it was.
/// Everybody who opens it reads all of it first, so that no damage decides anything.
enum LedgerFile {
    /// The suffix of the ledger before its last change, which stays beside it.
    static let previous = ".previous"
    /// The suffix of a damaged ledger that was replaced.
    static let damaged = ".damaged"

    /// A multiple of 32, as the digest requires.
    private static let pieceSize = 1 << 20

    /// Reads a whole ledger, and throws unless each bit is as it was written.
    ///
    /// - Parameters:
    ///   - name: the user's path.
    ///   - copy: receives the database; `nil` if it is only checked.
    static func check(_ path: String, name: String, copyingTo copy: OutputFile? = nil) throws(LedgerError) {
        let (head, isSame): ([UInt8], Bool)
        do throws(FileError) {
            let file = try StoredFile(path)
            head = try file.bytes(0..<min(file.count, LedgerHeader.size))
            isSame = try compare(file, copyingTo: copy)
        } catch {
            throw LedgerError(error)
        }
        // Another program's file, and one of another format, has no digest of ours.
        guard try !LedgerHeader.check(head, path: name) else {
            throw .storage(path: name, reason: "no run has written to it")
        }
        guard isSame else { throw .damaged(path: name, reason: "it is not as it was written") }
    }

    /// Returns whether a database has its digest.
    private static func compare(_ file: StoredFile, copyingTo copy: OutputFile?) throws(FileError) -> Bool {
        let end = max(0, file.count - LedgerDigest.size)
        var digest = LedgerDigest()
        for start in stride(from: 0, to: end, by: pieceSize) {
            let piece = try file.bytes(start..<min(end, start + pieceSize))
            digest.add(piece.span)
            try copy?.write(piece.span)
        }
        return try file.bytes(end..<file.count) == digest.octets
    }

    /// Writes the digest behind a database.
    static func seal(_ file: OutputFile, at path: String) throws(FileError) {
        let database = try StoredFile(path)
        var digest = LedgerDigest()
        for start in stride(from: 0, to: database.count, by: pieceSize) {
            let piece = try database.bytes(start..<min(database.count, start + pieceSize))
            digest.add(piece.span)
        }
        try file.append(digest.octets.span)
    }

    /// Opens a ledger for reading.
    static func connection(reading path: String) throws(LedgerError) -> Connection {
        try check(path, name: path)
        return try Connection(path, name: path, .reading)
    }
}

/// A digest of a ledger's database. It detects failing disks, not people: anybody can compute it.
///
/// Each step is a bijection, so that databases that differ in one word never have the same digest.
struct LedgerDigest {
    /// In bytes.
    static let size = 16

    private var count: UInt64 = 0
    /// Four independent sums, which a processor computes in parallel.
    private var sums: (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)

    /// Adds bytes: a multiple of 32, except for the last ones.
    mutating func add(_ bytes: Span<UInt8>) {
        var sums = sums
        var index = 0
        while index &+ 32 <= bytes.count {
            let words = bytes.extracting(index..<index &+ 32)
            sums.0 = Self.adding(words.littleEndian(at: 0), to: sums.0)
            sums.1 = Self.adding(words.littleEndian(at: 8), to: sums.1)
            sums.2 = Self.adding(words.littleEndian(at: 16), to: sums.2)
            sums.3 = Self.adding(words.littleEndian(at: 24), to: sums.3)
            index &+= 32
        }
        if index < bytes.count { sums.0 = Self.adding(bytes.extracting(index...).stableHash, to: sums.0) }
        self.sums = sums
        count += UInt64(bytes.count)
    }

    var octets: [UInt8] {
        var octets: [UInt8] = []
        for seed: UInt64 in [0x6c65_6467_6572_2033, 0x6469_6765_7374_2e31] {
            octets.append(
                bigEndian: [count, sums.0, sums.1, sums.2, sums.3].reduce(seed) { state, word in
                    stableMix((state ^ word) &* 0x9e37_79b9_7f4a_7c15)
                })
        }
        return octets
    }

    private static func adding(_ word: UInt64, to sum: UInt64) -> UInt64 {
        let product = (sum ^ word) &* 0x9e37_79b9_7f4a_7c15
        return product ^ product >> 32
    }
}

/// Maps unsigned numbers to SQLite's signed ones in the same order.
enum Unsigned {
    static func stored(_ value: UInt64) -> Int64 { Int64(bitPattern: value ^ (1 << 63)) }
    static func read(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ (1 << 63) }
}
