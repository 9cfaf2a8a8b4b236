import ArgumentParser
import Encodings
import Proofs
import Testing

@testable import audit

struct `The option --as-of` {
    @Test(arguments: [
        ("2026-06-30T12:34:56Z", "2026-06-30T12:34:56Z"),
        ("2026-06-30T12:34:56+02:00", "2026-06-30T10:34:56Z"),
        ("2026-06-30", "2026-06-30T00:00:00Z"),
        ("2024-02-29", "2024-02-29T00:00:00Z"),
    ])
    func `takes RFC 3339, or a date for its midnight in UTC`(argument: String, instant: String) throws {
        let option = try AsOfOption.parse(["--as-of", argument])
        #expect(option.asOf?.description == instant)
    }

    @Test(arguments: ["", "today", "2026-6-30", "2025-02-29", "2026-06-30 12:34", "20260630T0"])
    func `refuses anything else`(argument: String) {
        #expect(throws: (any Error).self) { try AsOfOption.parse(["--as-of", argument]) }
    }

    @Test func `is now if it is not given`() throws {
        let now = try AsOfOption.parse([]).orNow()
        #expect(now > Instant(seconds: 1_700_000_000))
    }
}

struct `The option --root` {
    @Test func `means Apple's three roots if it is not given`() throws {
        let anchors = try TrustOptions.parse([]).anchors().anchors
        #expect(anchors.map(\.origin) == ["built in", "built in", "built in"])
    }

    @Test func `names the file that is not there`() throws {
        let options = try TrustOptions.parse(["--root", "no-such-root.cer"])
        let error = #expect(throws: (any Error).self) { try options.anchors() }
        #expect(error.map { "\($0)" } == "could not read no-such-root.cer: No such file or directory")
    }
}
