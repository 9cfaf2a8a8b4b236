import Encodings
import FoundationEssentials
import Ledgers

/// A folder for ledgers, which goes when nobody needs it.
final class TestFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "audit-ledger-\(UUID())").path()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var ledger: String { path + "/state.db" }

    func open(_ origin: LedgerOrigin = .example, runAt asOf: Instant = .day(1)) throws -> Ledger {
        try Ledger(ledger, origin: origin, runAt: asOf)
    }

    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
}

extension LedgerOrigin {
    static var example: LedgerOrigin { LedgerOrigin(trustAnchors: [1, 2, 3], pseudonymKey: nil) }
}

extension Instant {
    static func day(_ number: Int64) -> Instant { Instant(seconds: number * 86_400) }
}

extension LedgerRun {
    static var example: LedgerRun { .at(.day(1)) }

    static func at(_ asOf: Instant) -> LedgerRun {
        LedgerRun(
            asOf: asOf, inputs: ["a b", ""], claims: 3, valid: 2, invalid: 1, settings: [9], blocks: [8],
            coversAll: true)
    }
}
