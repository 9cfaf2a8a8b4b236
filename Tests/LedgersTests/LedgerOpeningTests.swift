import Encodings
import Engine
import FoundationEssentials
import Testing

@testable import Ledgers

struct `Opening a ledger` {
    private let place: TestFolder

    init() throws {
        place = try TestFolder()
        try place.run { try $0.put(claim: 1, [1, 2]) }
    }

    @Test func `fails at once while another run has it`() throws {
        let first = try place.open()
        #expect(throws: LedgerError.busy(path: place.ledger)) { try place.open() }
        try first.commit(.example)
        #expect(throws: LedgerError.busy(path: place.ledger), "before its reports are in place") { try place.open() }
        try first.publish()
        #expect(throws: LedgerError.busy(path: place.ledger), "before it ends") { try place.open() }
    }

    @Test func `changes nothing if the run does not end`() throws {
        let bytes = try place.bytes
        do {
            let ledger = try place.open()
            try ledger.put(claim: 2, [UInt8](repeating: 1, count: 100_000))
            try ledger.record("rule", "subject")
        }
        #expect(try place.bytes == bytes)
        #expect(try place.open().reader().record(ofClaim: 2) == nil)
    }

    @Test(arguments: [
        (LedgerOrigin(trustAnchors: ["1"], pseudonymKey: nil), LedgerError.Difference.trustAnchors),
        (LedgerOrigin(trustAnchors: ["1", "2", "3"], pseudonymKey: [1]), .noPseudonyms),
    ])
    func `is refused to a run that lacks one of its trust anchors`(
        origin: LedgerOrigin, difference: LedgerError.Difference
    ) throws {
        let bytes = try place.bytes
        #expect(throws: LedgerError.otherOrigin(path: place.ledger, difference)) { try place.open(origin) }
        #expect(try place.bytes == bytes)
    }

    @Test func `is continued by a run with more trust anchors, and then refused to one with fewer`() throws {
        try place.run { try $0.record("rule", "subject") }
        let more = LedgerOrigin(trustAnchors: ["1", "2", "3", "4"], pseudonymKey: nil)
        do {
            let ledger = try place.open(more, runAt: .day(2))
            #expect(ledger.hasFewerAnchors)
            #expect(try ledger.record("rule", "subject").isNew == false)
        }
        #expect(try !place.open().hasFewerAnchors, "a run that is not committed changes nothing")
        try place.open(more, runAt: .day(2)).end(.at(.day(2)))
        #expect(try !place.open(more, runAt: .day(3)).hasFewerAnchors)
        #expect(throws: LedgerError.otherOrigin(path: place.ledger, .trustAnchors)) { try place.open() }
    }

    @Test(arguments: [(nil, LedgerError.Difference.pseudonyms), ([2], .pseudonymKey)])
    func `is refused to a run that has another pseudonym key`(
        key: [UInt8]?, difference: LedgerError.Difference
    ) throws {
        let path = place.path + "/pseudonyms.db"
        let origin = LedgerOrigin(trustAnchors: ["1"], pseudonymKey: [1])
        do { try Ledger(path, origin: origin, runAt: .day(1)).end() }
        #expect(throws: LedgerError.otherOrigin(path: path, difference)) {
            try Ledger(
                path, origin: LedgerOrigin(trustAnchors: ["1"], pseudonymKey: key), runAt: .day(1))
        }
        _ = try Ledger(path, origin: origin, runAt: .day(1))
    }

    @Test(arguments: [1, -1]) func `is refused if another version wrote it, and changes nothing`(step: Int) throws {
        var bytes = try place.bytes
        for index in 60..<64 { bytes[index] = UInt8(Int(RunHistory.format) + step) }
        try place.write(bytes)
        let refusal = step > 0 ? LedgerError.newer(path: place.ledger) : .older(path: place.ledger)
        #expect(throws: refusal) { try place.open() }
        #expect(throws: refusal) { try LedgerHistory(place.ledger) }
        #expect(try place.bytes == bytes)
        #expect(try place.names() == ["state.db"])
    }

    @Test(arguments: ["name,size\r\n1,2\r\n", "x", String(repeating: "SQLite format 3\0", count: 300)])
    func `leaves a file of somebody else as it is`(content: String) throws {
        try place.write(Array(content.utf8))
        #expect(throws: LedgerError.foreign(path: place.ledger)) { try place.open() }
        #expect(throws: LedgerError.foreign(path: place.ledger)) { try LedgerHistory(place.ledger) }
        #expect(try place.bytes == Array(content.utf8))
        #expect(try place.names() == ["state.db"])
    }

    @Test func `leaves a database of another program as it is`() throws {
        var bytes = try place.bytes
        for index in 68..<72 { bytes[index] ^= 0xff }
        try place.write(bytes)
        #expect(throws: LedgerError.foreign(path: place.ledger)) { try place.open() }
        #expect(try place.bytes == bytes)
    }

    @Test func `takes an empty file for a new ledger`() throws {
        try place.write([])
        #expect(try place.open().isEmpty)
    }

    @Test func `follows a symbolic link, which stays one`() throws {
        let link = place.path + "/link.db"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "state.db")
        do { try Ledger(link, origin: .example, runAt: .day(2)).end(.at(.day(2))) }
        #expect(try LedgerHistory(place.ledger).runs.count == 2)
        #expect(try place.names() == ["link.db", "state.db", "state.db.previous"])
    }

    @Test func `says which folder is no file`() throws {
        let error = #expect(throws: LedgerError.self) {
            try Ledger(place.path, origin: .example, runAt: .day(1))
        }
        #expect(error?.description.contains(place.path) == true)
    }

    @Test func `says in its messages what a terminal would obey`() {
        #expect(
            LedgerError.busy(path: "a\u{1b}b").description
                == "another run is using a\\u{1b}b: wait for it to end, or give this one another --state file")
    }

}
