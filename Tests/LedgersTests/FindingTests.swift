import Encodings
import Engine
import Ledgers
import Rules
import Testing

struct `A finding` {
    private let place: TestFolder

    init() throws { place = try TestFolder() }

    @Test func `is new once, and keeps the time when it was first found`() throws {
        #expect(try note(on: 1) == Noted(.day(1), isNew: true))
        #expect(try note(on: 2) == Noted(.day(1), isNew: false))
        #expect(try note(on: 3) == Noted(.day(1), isNew: false))
    }

    @Test func `is not new when it comes back`() throws {
        try _ = note(on: 1)
        try place.run(on: 2)
        #expect(try note(on: 3) == Noted(.day(1), isNew: false))
        try place.run(on: 4)
        #expect(try note(on: 5) == Noted(.day(1), isNew: false))
    }

    @Test func `has the same age the second time in a run as the first`() throws {
        try place.run {
            for _ in 1...2 {
                let noted = try $0.record("a", "b")
                #expect(noted.isNew == true)
            }
        }
        #expect(try LedgerHistory(place.ledger).runs.last?.findings == [.low: 1])
    }

    private static let different: [(ExactText, ExactText)] = [
        ("a", "b"), ("ab", ""), ("", "ab"), ("a", "b\0"), ("a", "\u{e9}"), ("a", "e\u{301}"),
    ]

    @Test func `is identified by its rule and its subject`() throws {
        try place.run {
            for (rule, subject) in Self.different {
                let noted = try $0.record(rule, subject)
                #expect(noted.isNew == true)
            }
        }
        #expect(try LedgerHistory(place.ledger).runs.last?.findings == [.low: Self.different.count])
    }

    @Test func `is new, persists or is resolved between any two runs`() throws {
        let found = ["ab", "bc", "b", "abc", "", "cd"]
        for (index, subjects) in found.enumerated() {
            try place.run(on: Int64(index + 1)) {
                for subject in subjects { try $0.record("r", ExactText(String(subject)), severity: .high) }
            }
        }
        let history = try LedgerHistory(place.ledger)
        for (from, before) in found.enumerated() {
            for (to, after) in found.enumerated() {
                let changes = try history.changes(from: Int64(from + 1), to: Int64(to + 1))
                #expect(
                    changes.new.map(\.subject) == after.filter { !before.contains($0) }.map { ExactText(String($0)) })
                #expect(
                    changes.persisting.map(\.subject) == after.filter(before.contains).map { ExactText(String($0)) })
                #expect(
                    changes.resolved.map(\.subject)
                        == before.filter { !after.contains($0) }.map { ExactText(String($0)) })
            }
        }
        #expect(try history.changes(from: 1, to: 4).new == history.changes(from: 1, to: 2).new)
    }

    @Test func `is new in every run for the day on which it was first found, and persists later`() throws {
        for hour: Int64 in [0, 5, 23] { #expect(try note(on: 1, hour: hour) == Noted(.day(1), isNew: true)) }
        for hour: Int64 in [0, 23] { #expect(try note(on: 2, hour: hour) == Noted(.day(1), isNew: false)) }
        #expect(try note(on: 1) == Noted(.day(1), isNew: true), "the first day is audited again")
    }

    @Test func `is new for a day before the one on which it was first found`() throws {
        #expect(try note(on: 5) == Noted(.day(5), isNew: true))
        #expect(try note(on: 3) == Noted(.day(5), isNew: true), "it was known later only")
        #expect(try note(on: 4) == Noted(.day(5), isNew: false))
    }

    @Test func `is new again when it has more events than on any earlier day`() throws {
        let days: [(day: Int64, events: Int, isNew: Bool)] = [
            (1, 1, true), (2, 1, false), (3, 3, true), (3, 3, true), (4, 3, false), (5, 2, false), (6, 3, false),
            (7, 4, true), (8, 4, false),
        ]
        for (day, events, isNew) in days {
            #expect(
                try note(on: day, events: events) == Noted(.day(1), isNew: isNew), "\(events) events on day \(day)")
        }
    }

    @Test func `of the last run that this run does not make is told, worst first`() throws {
        try place.run(on: 1) { try $0.record("z", "of an earlier run", severity: .critical) }
        try place.run(on: 2) {
            try $0.record("b", "mild", severity: .low)
            try $0.record("b", "bad", severity: .high)
            try $0.record("a", "bad", severity: .high)
            try $0.record("a", "there still", severity: .critical)
        }
        let ledger = try place.open(runAt: .day(4))
        try ledger.record("a", "there still", severity: .critical)
        var gone: [String] = []
        for finding in try ledger.findingsOfLastRun(limit: 10) {
            gone.append("\(finding.severity.code) \(finding.rule) \(finding.subject)")
        }
        #expect(gone == ["high a bad", "high b bad", "low b mild"])
        #expect(try ledger.findingsOfLastRun(limit: 1).count == 1)
        try ledger.end(.at(.day(4)))
    }

    @Test func `that another run of the day made for the first time is counted until this one makes it`() throws {
        try place.run(on: 1) { try $0.record("a", "old") }
        try place.run(on: 2) {
            try $0.record("a", "old")
            try $0.record("a", "new", severity: .high)
        }
        let ledger = try place.open(runAt: .day(2))
        try ledger.record("a", "old")
        #expect(try ledger.countNewFindingsOfOtherRuns() == [.high: 1])
        try ledger.record("a", "new", severity: .high)
        #expect(try ledger.countNewFindingsOfOtherRuns() == [:])
        try ledger.end(.at(.day(2)))
    }

    private struct Noted: Equatable {
        let firstSeen: Instant
        let isNew: Bool

        init(_ firstSeen: Instant, isNew: Bool) { (self.firstSeen, self.isNew) = (firstSeen, isNew) }
    }

    private func note(
        on day: Int64, hour: Int64 = 0, events: Int = 1
    ) throws -> Noted {
        var noted: Noted?
        try place.run(on: day, hour: hour) {
            let entry = try $0.record("rule", "subject", severity: .medium, events: events)
            noted = Noted(entry.firstSeen, isNew: entry.isNew == true)
        }
        return try #require(noted)
    }
}
