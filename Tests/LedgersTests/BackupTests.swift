import Encodings
import Engine
import Foundation
import Testing

@testable import Ledgers

struct `A copy of a ledger` {
    private let place: TestFolder
    private let copy: String

    init() throws {
        place = try TestFolder()
        copy = place.path + "/copy.db"
        try place.run(on: 1) { ledger in
            try ledger.record("rule", "device:a")
            for claim in 0..<1000 { try ledger.put(claim: UInt64(claim), Array("\(claim)".utf8)) }
        }
    }

    @Test func `has all that the ledger has, and a run continues from it`() throws {
        let backup = try LedgerBackup(of: place.ledger, to: copy)
        #expect(backup.health.tables == (try LedgerHealth(of: place.ledger)).tables)
        #expect(try place.names() == ["copy.db", "state.db"])
        let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try FileManager.default.removeItem(atPath: place.ledger)
        try FileManager.default.moveItem(atPath: copy, toPath: place.ledger)
        try place.run(on: 2) {
            let again = try $0.record("rule", "device:a")
            #expect(again.isNew == false)
        }
        #expect(try LedgerHistory(place.ledger).runs.map(\.id) == [1, 2])
    }

    @Test func `is made while a run writes the ledger, as the run before left it`() throws {
        let ledger = try place.open(runAt: .day(2))
        try ledger.record("rule", "device:b")
        #expect(try LedgerBackup(of: place.ledger, to: copy).health.lastRun?.id == 1)
        try ledger.end(.at(.day(2)))
        #expect(try LedgerBackup(of: place.ledger, to: copy).health.lastRun?.id == 2)
    }

    @Test func `of a damaged ledger leaves the older copy as it was`() throws {
        _ = try LedgerBackup(of: place.ledger, to: copy)
        let old = try Data(contentsOf: URL(filePath: copy))
        var bytes = try place.bytes
        bytes[9000] ^= 1
        try place.write(bytes)
        #expect(throws: LedgerError.self) { try LedgerBackup(of: place.ledger, to: copy) }
        #expect(try Data(contentsOf: URL(filePath: copy)) == old)
        #expect(try place.names().filter { $0.hasPrefix(".") || $0.hasPrefix("copy") } == ["copy.db"])
    }

    @Test func `replaces no file that is not a ledger, no ledger in use, and not the ledger itself`() throws {
        try place.write(Array("claims,of,somebody\n".utf8), to: "copy.db")
        #expect(throws: LedgerError.foreign(path: copy)) { try LedgerBackup(of: place.ledger, to: copy) }
        #expect(try Data(contentsOf: URL(filePath: copy)).count == 19)
        #expect(throws: LedgerError.self) { try LedgerBackup(of: place.ledger, to: place.ledger) }
        #expect(throws: LedgerError.self) { try LedgerBackup(of: place.ledger, to: "/dev/null") }
        let other = try Ledger(place.path + "/other.db", origin: .example, runAt: .day(1))
        #expect(throws: LedgerError.busy(path: place.path + "/other.db")) {
            try LedgerBackup(of: place.ledger, to: place.path + "/other.db")
        }
        try other.end()
    }
}
