import Encodings
import Policies
import Rules
import Testing

struct `An allowance` {
    @Test func `has a subject and a reason`() throws {
        let policy = try policy("allow:\n- subject: account:ana\n  reason: our tester\n")
        #expect(policy.allowances == [Policy.Allowance(subject: "account:ana", reason: "our tester")])
    }

    @Test func `is for all rules, or for some`() throws {
        #expect(try read("rules: [shared-receipt, trial-abuse]")?.rules == ["shared-receipt", "trial-abuse"])
        #expect(try read("rules: [trial-abuse]")?.rules == ["trial-abuse"])
    }

    @Test(arguments: [
        ("2026-12-31", "2027-01-01T00:00:00Z"), ("2028-02-28", "2028-02-29T00:00:00Z"),
        ("2026-12-31T12:00:00Z", "2026-12-31T12:00:00Z"), ("2026-12-31T12:00:00+02:00", "2026-12-31T10:00:00Z"),
    ])
    func `holds until the end of a day, or until a time`(text: String, end: String) throws {
        #expect(try read("until: \(text)")?.until?.description == end)
        #expect(try read("until: '\(text)'")?.until?.description == end)
    }

    @Test(arguments: [
        ("device:7eb61f70-e56d-46f1-ac3a-84d1b43829d3", "device:7EB61F70-E56D-46F1-AC3A-84D1B43829D3"),
        ("device:7EB61F70E56D46F1AC3A84D1B43829D3", "device:7EB61F70-E56D-46F1-AC3A-84D1B43829D3"),
        ("device:00-1A-2B-3C-4D-5E", "device:00:1a:2b:3c:4d:5e"),
        ("'device: 001A2B3C4D5E'", "device:00:1a:2b:3c:4d:5e"),
        ("receipt:" + String(repeating: "AB", count: 32), "receipt:" + String(repeating: "ab", count: 32)),
        ("source:devices.csv:17", "source:devices.csv:17"),
        ("transaction:460000000000001", "transaction:460000000000001"), ("account:Ana", "account:Ana"),
    ])
    func `names its subject as findings do`(text: String, subject: String) throws {
        #expect(
            try policy("allow: [{subject: \(text), reason: test}]").allowances.map(\.subject) == [ExactText(subject)])
    }

    private func read(_ setting: String) throws -> Policy.Allowance? {
        try policy("allow:\n- {subject: account:ana, reason: test, \(setting)}").allowances.first
    }
}
