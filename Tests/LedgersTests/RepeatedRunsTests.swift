import Encodings
import Testing

@testable import Ledgers

/// Runs that make the same findings as the run before, and do not write them.
struct `A run that repeats the last one` {
    private let place: TestFolder

    init() throws { place = try TestFolder() }

    private struct Made: Equatable {
        var subject: Int
        var severity: UInt8
        var events: Int64
        var evidence: String

        init(_ subject: Int, _ numbers: inout Numbers) {
            self.subject = subject
            severity = UInt8(1 + numbers.next(below: 2))
            events = Int64(1 + numbers.next(below: 3))
            evidence = "\(numbers.next(below: 3))"
        }

        func record(in ledger: Ledger) throws -> FindingHistoryEntry {
            try ledger.record("r", "s\(subject)", severity: severity, events: events, evidence: evidence)
        }
    }

    /// What a ledger says in a run, and after it.
    private struct Said: Equatable {
        var entries: [FindingHistoryEntry] = []
        var missing: [LedgerFinding] = []
        var newOfOthers: [UInt8: Int] = [:]
        var changes: [LedgerChanges] = []
        var statuses: [FindingStatus] = []
        var counts: [[UInt8: Int]] = []
        var forgotten: [Int] = []
    }

    private struct Night {
        var day: Int64
        var isPublished: Bool
        var made: [Made]
        var isRepeating: Bool
        /// What is decided and forgotten after it.
        var reviewed: Int?
        var forgotten: LedgerDeletion?
    }

    private static func nights(seed: UInt64) -> [Night] {
        var numbers = Numbers(seed: seed)
        var nights: [Night] = []
        var (day, made): (Int64, [Made]) = (10, [])
        for _ in 0..<16 {
            day += Int64([0, 0, 1, 1, 1, 2, -1][numbers.next(below: 7)])
            let isRepeating = !nights.isEmpty && numbers.next(below: 3) > 0
            if !isRepeating { made = (0..<6).filter { _ in numbers.next(below: 3) > 0 }.map { Made($0, &numbers) } }
            var night = Night(
                day: day, isPublished: numbers.next(below: 4) > 0, made: made, isRepeating: isRepeating)
            if numbers.next(below: 4) == 0 { night.reviewed = numbers.next(below: 6) }
            if numbers.next(below: 8) == 0 {
                var deletion = LedgerDeletion()
                deletion.before = .day(day - 1)
                night.forgotten = deletion
            }
            nights.append(night)
        }
        return nights
    }

    private func said(of night: Night, _ folder: TestFolder, repeating: Bool) throws -> Said {
        var said = Said()
        try folder.run(on: night.day, isPublished: night.isPublished) { ledger in
            if repeating, night.isRepeating { try ledger.repeatFindings() }
            for made in night.made { said.entries.append(try made.record(in: ledger)) }
            try ledger.forEachFindingOfLastRun { said.missing.append($0) }
            said.newOfOthers = try ledger.countNewFindingsOfOtherRuns()
        }
        if let subject = night.reviewed {
            let decision = ReviewDecision(.ok, at: .day(night.day), by: "ann")
            said.forgotten = try Ledger.review([(.subject("s\(subject)"), decision)], in: folder.ledger)
        }
        if let deletion = night.forgotten {
            let counts = try Ledger.forget(deletion, in: folder.ledger)
            said.forgotten += [counts.findings, counts.runs]
        }
        let history = try LedgerHistory(folder.ledger)
        said.counts = history.runs.map(\.findings)
        for from in history.runs.suffix(6) {
            for to in history.runs.suffix(6) { said.changes.append(try history.changes(from: from.id, to: to.id)) }
        }
        try history.forEachFinding { said.statuses.append($0.status) }
        return said
    }

    @Test(arguments: 1...8) func `says what it would say if it wrote them`(seed: UInt64) throws {
        let other = try TestFolder()
        for (number, night) in Self.nights(seed: seed).enumerated() {
            let (saving, writing) = (
                try said(of: night, place, repeating: true), try said(of: night, other, repeating: false)
            )
            // Without the values, which fill pages.
            let isSame = saving == writing
            #expect(isSame, "night \(number)")
        }
    }

    @Test func `counts what is new for its day although the last run with it was for another`() throws {
        try place.run(on: 2) { try $0.record("r", "s") }
        try place.run(on: 1) {
            try $0.repeatFindings()
            try $0.record("r", "s")
        }
        try place.run(on: 2) {
            let counts = try $0.countNewFindingsOfOtherRuns()
            #expect(counts == [1: 1])
        }
    }

    private func lastWriter() throws -> Int64? {
        try Connection(place.ledger, name: place.ledger, .reading).number("SELECT max(last_run) FROM finding")
    }

    @Test func `writes no finding, until many have followed each other`() throws {
        try place.run(on: 1) { try $0.record("r", "s") }
        for day in 2...40 {
            try place.run(on: Int64(day)) {
                try $0.repeatFindings()
                try $0.record("r", "s")
            }
            #expect(try lastWriter() == (day <= RepeatedRuns.limit + 1 ? 1 : Int64(RepeatedRuns.limit + 2)))
        }
    }

    @Test func `writes a finding of which something differs`() throws {
        try place.run(on: 1) { try $0.record("r", "s", evidence: "two devices") }
        try place.run(on: 2) {
            try $0.repeatFindings()
            try $0.record("r", "s", evidence: "three devices")
        }
        #expect(try lastWriter() == 2)
        let changes = try LedgerHistory(place.ledger).changes(from: 1, to: 2)
        #expect(changes.persisting.map(\.evidence) == ["three devices"])
    }

    @Test func `cannot end if it has not made all of them`() throws {
        try place.run(on: 1) {
            try $0.record("r", "s")
            try $0.record("r", "t")
        }
        let ledger = try place.open(runAt: .day(2))
        try ledger.repeatFindings()
        try ledger.record("r", "s")
        #expect(throws: LedgerError.self) { try ledger.commit(.at(.day(2))) }
    }

    @Test func `is none if there was no run before`() throws {
        try place.run(on: 1) {
            try $0.repeatFindings()
            let noted = try $0.record("r", "s")
            #expect(noted.isNew)
        }
        #expect(try LedgerHistory(place.ledger).runs.map(\.repeatsLast) == [false])
    }
}
