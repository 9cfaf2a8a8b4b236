import Encodings
import Testing

@testable import Ledgers

struct `A run that failed` {
    private let place: TestFolder

    init() throws {
        place = try TestFolder()
        try place.run(on: 1) { _ in }
    }

    private func failed(_ number: Int64) -> FailedRun {
        FailedRun(at: .day(number), asOf: .day(number - 1), reason: "disk \(number)")
    }

    @Test func `is read as it was written, beside the runs`() throws {
        try Ledger.record(failed(2), in: place.ledger)
        try place.run(on: 3) { _ in }
        try Ledger.record(failed(4), in: place.ledger)
        let history = try LedgerHistory(place.ledger)
        #expect(history.failures == [failed(2), failed(4)])
        #expect(history.runs.map(\.id) == [1, 3])
    }

    @Test func `is forgotten when 100 others have failed`() throws {
        for number in 0..<103 as Range<Int64> { try Ledger.record(failed(number), in: place.ledger) }
        #expect(try LedgerHistory(place.ledger).failures == (3..<103).map { failed($0) })
    }

    @Test func `has a reason of bounded length`() throws {
        let long = FailedRun(at: .day(1), asOf: .day(1), reason: String(repeating: "ü", count: 5000))
        try Ledger.record(long, in: place.ledger)
        #expect(try LedgerHistory(place.ledger).failures.map(\.reason.count) == [1000])
    }

    @Test func `is not recorded where there is no ledger`() throws {
        #expect(throws: LedgerError.self) { try Ledger.record(failed(1), in: place.ledger + ".other") }
        #expect(try place.names() == ["state.db"])
    }
}
