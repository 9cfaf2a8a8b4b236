import Encodings
import Ledgers
import Testing

struct `A finding` {
    private let place: TestFolder

    init() throws { place = try TestFolder() }

    @Test func `is new once, and keeps the time when it was first found`() throws {
        #expect(try note(on: 1) == Noted(.day(1), isNew: true))
        #expect(try note(on: 2) == Noted(.day(1), isNew: false))
        #expect(try note(on: 3) == Noted(.day(1), isNew: false))
    }

    @Test func `is new again if the reports with it were not put in place`() throws {
        #expect(try note(on: 1, isPublished: false) == Noted(.day(1), isNew: true))
        #expect(try note(on: 2, isPublished: false) == Noted(.day(1), isNew: true))
        #expect(try note(on: 3) == Noted(.day(1), isNew: true))
        #expect(try note(on: 4) == Noted(.day(1), isNew: false))
    }

    @Test func `is not new when it comes back`() throws {
        try _ = note(on: 1)
        try place.run(on: 2)
        #expect(try note(on: 3, isPublished: false) == Noted(.day(1), isNew: false))
        try place.run(on: 4)
        #expect(try note(on: 5) == Noted(.day(1), isNew: false))
    }

    @Test func `is new if no published run found it, however often it came back`() throws {
        try _ = note(on: 1, isPublished: false)
        try place.run(on: 2)
        #expect(try note(on: 3, isPublished: false) == Noted(.day(1), isNew: true))
        try place.run(on: 4)
        #expect(try note(on: 5) == Noted(.day(1), isNew: true))
    }

    @Test func `has the same age the second time in a run as the first`() throws {
        try place.run {
            for _ in 1...2 {
                let noted = try $0.record(finding: "a", subject: "b", severity: 1)
                #expect(noted.isNew)
            }
        }
        #expect(try LedgerHistory(place.ledger).runs.last?.findings == [1: 1])
    }

    private static let different: [(ExactText, ExactText)] = [
        ("a", "b"), ("ab", ""), ("", "ab"), ("a", "b\0"), ("a", "\u{e9}"), ("a", "e\u{301}"),
    ]

    @Test func `is identified by its rule and its subject`() throws {
        try place.run {
            for (rule, subject) in Self.different {
                let noted = try $0.record(finding: rule, subject: subject, severity: 1)
                #expect(noted.isNew)
            }
        }
        #expect(try LedgerHistory(place.ledger).runs.last?.findings == [1: Self.different.count])
    }

    @Test func `is new, persists or is resolved between any two runs`() throws {
        let found = ["ab", "bc", "b", "abc", "", "cd"]
        for (index, subjects) in found.enumerated() {
            try place.run(on: Int64(index + 1)) {
                for subject in subjects {
                    _ = try $0.record(finding: "r", subject: ExactText(String(subject)), severity: 3)
                }
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

    private struct Noted: Equatable {
        let firstSeen: Instant
        let isNew: Bool

        init(_ firstSeen: Instant, isNew: Bool) { (self.firstSeen, self.isNew) = (firstSeen, isNew) }
    }

    private func note(on day: Int64, isPublished: Bool = true) throws -> Noted {
        var noted: Noted?
        try place.run(on: day, isPublished: isPublished) {
            let (firstSeen, isNew) = try $0.record(finding: "rule", subject: "subject", severity: 2)
            noted = Noted(firstSeen, isNew: isNew)
        }
        return try #require(noted)
    }
}
