import Checks
import Encodings
import Engine
import Files
import Inputs
import Receipts
import Rules
import SampleStore
import Testing

@testable import Streams

/// What is written of a claim under one key, and read again.
struct `An observation in a line` {
    private static let place = ClaimPlace(input: 2, line: 17)

    private static func full(_ source: ExactText = "export.ndjson:17") -> Observation {
        var observation = Observation(claim: place.number, source: source)
        observation.device = Device(octets: [1, 2, 3, 4, 5, 6].span)
        observation.id = ClaimID(high: 0x0123_4567_89ab_cdef, low: 0x89ab_cdef)
        observation.deviceHash = .match
        observation.askedProduct = "month"
        observation.malformedDevice = "none"
        observation.originalPurchaseDate = .utc(2020)
        observation.accountID = "ana"
        observation.presentedAt = .utc(2026, 1, 2)
        observation.isGenuine = true
        observation.bundleID = "com.example.notes"
        observation.environment = "ProductionVPP"
        observation.createdAt = .utc(2026, 1, 1)
        observation.purchases = [
            Purchase(productID: "month", transactionID: "7", purchaseDate: .utc(2025)),
            Purchase(productID: "month", transactionID: "8", purchaseDate: .utc(2025, 2)),
        ]
        return observation
    }

    private func read(
        _ observation: Observation, under letter: StreamKey.KeyLetter, _ key: [UInt8],
        edit: (inout ObservationLine) -> Void = { _ in }
    ) throws -> ObservationLine {
        var line = ObservationLine(place: Self.place, observation: observation)
        edit(&line)
        var lines = LineWriter()
        line.write(letter, key.span, to: &lines)
        let written = Array(lines.bytes.dropLast())
        var found: ObservationLine?
        try Line(written.span).read { found = try ObservationLine(letter, key.span, &$0) }
        return try #require(found)
    }

    /// What is said under the key of an account or a device.
    private static var said: Observation {
        var observation = full()
        (observation.askedProduct, observation.malformedDevice) = ("", "")
        observation.originalPurchaseDate = nil
        return observation
    }

    @Test func `is what it was under the key of an account`() throws {
        let found = try read(Self.full(), under: .account, Array("ana".utf8)).observation
        #expect("\(found)" == "\(Self.said)")
    }

    @Test func `has its device from the key`() throws {
        let found = try read(Self.full(), under: .device, [1, 2, 3, 4, 5, 6]).observation
        #expect("\(found)" == "\(Self.said)")
    }

    @Test func `says under a receipt's key who presents it and when, and when it was made`() throws {
        let found = try read(Self.full(), under: .receipt, [9]).observation
        #expect(found.device == Self.full().device && found.accountID == "ana")
        #expect(found.presentedAt == Self.full().presentedAt && found.createdAt == Self.full().createdAt)
        #expect(found.bundleID == "com.example.notes")
    }

    @Test func `says nothing of an app that Apple did not sign for`() throws {
        var observation = Self.full()
        observation.isGenuine = false
        let found = try read(observation, under: .account, Array("ana".utf8)).observation
        #expect(!found.isGenuine && found.bundleID == "" && found.environment == "")
    }

    @Test(arguments: ["Production", "Xcode", "", "another", "production", "Xcode\u{301}"])
    func `has any environment`(environment: String) throws {
        var observation = Self.full()
        observation.environment = ExactText(environment)
        let found = try read(observation, under: .account, Array("ana".utf8)).observation.environment
        #expect(Array(found.utf8) == Array(environment.utf8))
    }

    @Test(arguments: ["export.ndjson:17", "export.ndjson:18", ":17", "17", "a/b.der", ""])
    func `has any source`(source: String) throws {
        let source = ExactText(source)
        #expect(try read(Self.full(source), under: .account, Array("ana".utf8)).observation.source == source)
    }

    @Test func `stands for one transaction, and for the original with its id`() throws {
        let line = try read(Self.full(), under: .transaction, Array("8".utf8)) {
            $0.transaction = 1
            $0.isOriginal = true
        }
        let (own, original) = line.observations(under: .transaction)
        #expect(own?.purchases.map(\.transactionID) == ["8"])
        #expect(original?.purchases.map(\.transactionID) == ["7", "8"])
    }

    @Test func `is refused if it names a purchase that it does not have`() {
        #expect(throws: LineFault.malformed("its record is damaged")) {
            _ = try read(Self.full(), under: .transaction, Array("8".utf8)) { $0.transaction = 2 }
        }
    }
}

struct `A line` {
    private let line: [UInt8] = {
        var lines = LineWriter()
        var number: UInt64 = 300
        lines.write(.summary) { $0.number(&number) }
        return lines.bytes.dropLast()
    }()

    private func read(_ line: [UInt8]) throws -> UInt64 {
        var number: UInt64 = 0
        try Line(line.span).read { try $0.number(&number) }
        return number
    }

    @Test func `has the record that was written behind its key`() throws {
        #expect(try read(line) == 300)
        let isKey = try Line(line.span).key.isSame(as: Array("s".utf8))
        #expect(isKey)
    }

    @Test func `is refused if it is cut off, or if something follows the record`() {
        for count in 0..<line.count {
            #expect(throws: LineFault.self, "\(count) bytes") { try read(Array(line.prefix(count))) }
        }
        #expect(throws: LineFault.self) { try read(line + Array("AAAA".utf8)) }
    }

    @Test func `of another version is said to be that`() {
        var other = line
        other[2] = other[2] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        #expect(throws: LineFault.otherVersion) { try read(other) }
    }

    @Test(arguments: [("s", "it has no key"), ("s\t!", "it is not valid base64")])
    func `is refused if it was not written so`(text: String, reason: String) {
        #expect(throws: LineFault.malformed(reason)) { try read(Array(text.utf8)) }
    }
}
