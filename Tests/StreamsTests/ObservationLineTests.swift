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
        (observation.device, observation.accountID) = (Device(octets: [1, 2, 3, 4, 5, 6].span), "ana")
        (observation.deviceHash, observation.presentedAt) = (.match, .utc(2026, 1, 2))
        (observation.isGenuine, observation.createdAt) = (true, .utc(2026, 1, 1))
        (observation.bundleID, observation.environment) = ("com.example.notes", "ProductionVPP")
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

    @Test func `is what it was, under the key of an account and that of its device`() throws {
        for (letter, key) in [(StreamKey.KeyLetter.account, Array("ana".utf8)), (.device, [1, 2, 3, 4, 5, 6])] {
            #expect(try "\(read(Self.full(), under: letter, key).observation)" == "\(Self.full())")
        }
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
