import Encodings
import Inputs
import Receipts
import Rules
import SampleStore
import Testing

@testable import Streams

/// What is written of a claim under one key, and read again.
struct `A observation in a line` {
    private static let place = ClaimPlace(input: 2, line: 17)

    /// All that a claim can say.
    private static func full(_ source: ExactText = "export.ndjson:17") -> Observation {
        let device: [UInt8] = [1, 2, 3, 4, 5, 6]
        var observation = Observation(claim: place.number, source: source)
        observation.device = Device(octets: device.span)
        observation.deviceHashMatches = true
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
        let fields = written { line.write(letter, key.span, to: &$0) }.fields
        return try StreamsTests.read(fields) { fields throws(LineFault) in try ObservationLine(letter, key, &fields) }
    }

    @Test func `is what it was under the key of an account`() throws {
        let found = try read(Self.full(), under: .account, Array("ana".utf8)).observation
        #expect("\(found)" == "\(Self.full())")
    }

    @Test func `has its device from the key`() throws {
        let found = try read(Self.full(), under: .device, [1, 2, 3, 4, 5, 6]).observation
        #expect("\(found)" == "\(Self.full())")
    }

    @Test func `says under a receipt's key only what is not the receipt's`() throws {
        let found = try read(Self.full(), under: .receipt, [9]).observation
        #expect(found.device == Self.full().device && found.accountID == "ana")
        #expect(found.presentedAt == nil && found.createdAt == nil)
        #expect(found.bundleID == "" && found.environment == "")
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
        let reason = #expect(throws: LineFault.self) {
            _ = try read(Self.full(), under: .transaction, Array("8".utf8)) { $0.transaction = 2 }
        }
        guard case .malformed("it names a purchase that it does not have") = reason else {
            Issue.record("\(reason as Any)")
            return
        }
    }
}
