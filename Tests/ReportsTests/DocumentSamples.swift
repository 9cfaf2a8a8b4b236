import Checks
import Encodings
import Engine
import Inputs
import Rules

@testable import Reports

/// A small report with everything that a report may hold, and one untrusted text wherever one can be.
enum DocumentSamples {
    static func report(_ text: String = "x") -> SampleReport {
        var report = SampleReport(summary: summary(text), withChange: true)
        for (number, rule) in ["shared-receipt", "forged-signature", text].enumerated() {
            var found = compared(text, rule: rule, number == 2 ? .low : .critical, .new)
            if number == 2 {
                // A decision that no longer holds.
                found.decision = ReviewDecision(.watch, at: asOf, by: text)
                found.decision?.note = text
            }
            report.findings.append(found)
        }
        report.findings.append(compared(text, rule: text, .high, .resolved))
        let stake = [AmountAtStake(millionths: 4_990_000, currency: ExactText(text))]
        report.summary.sections.append(Summary.atStake(urgent: (stake, 0), all: (stake, 0)))
        for number in 0..<2 { report.entities.append(EntitySamples.entity(text, score: 1305 - number)) }
        report.marks = [EntityMark(report.entities[0].entity, report.findings[0].finding.id, .high)]
        for (verdict, checks, risk, rules) in [
            ("valid", "", "", ""), ("valid", "", "high", "shared-receipt"), ("invalid", "signature-invalid", "", ""),
            ("unreadable", "receipt-empty", "", ""),
        ] {
            report.claims.append(claim(text, verdict, checks, risk, rules))
        }
        return report
    }

    static func document(_ text: String = "x", table: ReportRequest.Table? = nil) throws -> ReportDocument {
        try report(text).document(table)
    }

    /// The cells of a claim.
    static func claim(
        _ text: String, _ verdict: String, _ checks: String = "", _ risk: String = "", _ rules: String = "",
        presented: String = "2026-06-03T00:00:00Z"
    ) -> [String: String] {
        [
            "source": text, "verdict": verdict, "failed_checks": checks, "risk": risk, "rules": rules,
            "device_id": text, "account_id": text, "bundle_id": text, "presented_at": presented, "claim_id": "id",
        ]
    }

    static func compared(
        _ text: String, rule: String, _ severity: Severity, _ change: ComparedFinding.Change? = nil
    ) -> ComparedFinding {
        var row = FindingRow(
            id: FindingID(high: 1, low: 2), severity: severity, confidence: .likely, rule: ExactText(rule),
            subject: ExactText(text))
        (row.claims, row.devices) = (2, 2)
        // A database joins them by `;`.
        let source = ExactText(String(decoding: text.utf8.map { $0 == 0x3b ? 0x2c : $0 }, as: UTF8.self))
        row.sources = [source, source]
        row.evidence = text
        row.lastPresented = Instant(seconds: 1_780_444_800)  // 2026-06-03
        (row.bundleID, row.productID) = (ExactText(text), ExactText(text))
        (row.deviceID, row.accountID) = (ExactText(text), ExactText(text))
        row.atStake = AmountAtStake(millionths: 4_990_000, currency: ExactText(text))
        return ComparedFinding(row, firstSeen: change.map { _ in asOf }, change: change)
    }

    static let asOf = Instant(seconds: 1_782_777_600)  // 2026-06-30

    static func summary(_ text: String) -> Summary {
        var run = RunDescription(version: "1", openSSL: "3", asOf: asOf, inputs: [text, "b"], roots: ["ab12"])
        run.rootFiles = [text]
        run.policy = (file: text, sha256: "cd34")
        return Summary(sections: [Summary.description(run, claims: 1000)] + sections(text))
    }

    private static func sections(_ text: String) -> [Summary.Section] {
        [
            .init(
                "verdicts", "Claims by verdict", columns: ["verdict", "claims", "share"],
                rows: [
                    [.code("valid"), .number(900), .share(900, of: 1000)],
                    [.code("invalid"), .number(100), .share(100, of: 1000)],
                ]),
            .init(
                "findings", "Findings", columns: ["rule", "severity", "findings", "title"],
                rows: [[.code("forged-signature"), .code("critical"), .number(2), .code("A | title")]]),
            .init(
                "severities", "Findings by severity", columns: ["severity", "findings"],
                rows: [[.code("critical"), .number(2)], [.code("low"), .number(1)]]),
            .init("apps", "Apps", columns: ["bundle id", "claims"], rows: [[.text(ExactText(text)), .number(3)]]),
            .init(
                "months", "Months", columns: ["month", "valid", "invalid"],
                rows: [[.code("2026-01"), .number(7), .number(3)], [.code("2026-06"), .number(2), .number(0)]]),
            .init(
                "subscription-movement", "Movement", columns: ["month", "started", "lost", "churn"],
                rows: (1...6).map { [.code("2026-0\($0)"), .number(9 * $0), .number(4), .share(4, of: 9 * $0)] }),
            .init(
                "subscription-retention", "Retention", columns: ["cohort"] + (1...8).map(String.init),
                rows: (1...8).map { cohort in
                    [.code("2026-0\(cohort)")] + (1...8).map { $0 > cohort ? .none : .share(20 - 2 * $0, of: 20) }
                }),
            .init(
                "subscription-wide", "Wide", columns: ["app", "one", "two", "three"],
                rows: [[.text(ExactText(text)), .share(1, of: 2), .share(1, of: 3), .share(0, of: 0)]]),
            .init(
                "skipped", "Skipped", columns: ["what", "count", "name"],
                rows: [[.code("a"), .none, .text(ExactText(text))]]),
        ]
    }
}

/// Reads HTML as strictly as our templates write it, and no more.
struct MarkupTokens: Equatable {
    struct Tag: Equatable {
        var name: String
        var attributes: [String]
    }
    struct Malformed: Error {
        var offset: Int
        var reason: String
    }

    private(set) var tags: [Tag] = []
    /// The text between tags, with entities unchanged.
    private(set) var text = ""
    /// Attributes' values, apart from those of `aria-label`, which name what is shown, and of `data-text`.
    private(set) var values: [String] = []
    /// The values of `data-text`, which only a text has that shows otherwise.
    private(set) var copied: [String] = []

    init(_ html: String) throws {
        // A script is not markup.
        let scalars = Array(html.replacing(HTMLTemplates.script, with: "").unicodeScalars)
        var index = 0
        func string(until stop: Unicode.Scalar) throws -> String {
            guard let end = scalars[index...].firstIndex(of: stop) else {
                throw Malformed(offset: index, reason: "no \(stop)")
            }
            defer { index = end + 1 }
            return String(String.UnicodeScalarView(scalars[index..<end]))
        }
        while index < scalars.count {
            guard scalars[index] == "<" else {
                text.unicodeScalars.append(scalars[index])
                index += 1
                continue
            }
            index += 1
            var tag = try string(until: ">")
            // A `>` inside a value would have been escaped, so that a tag ends at the first one.
            guard !tag.unicodeScalars.contains("<") else { throw Malformed(offset: index, reason: "< in a tag") }
            if tag.hasSuffix("/") { tag.removeLast() }
            let parts = tag.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false).map { String($0) }
            guard parts.count % 2 == 1 else { throw Malformed(offset: index, reason: "an open quote") }
            let names = parts.enumerated().filter { $0.offset % 2 == 0 }.map { $0.element }.joined()
            let words = names.split(separator: " ").map { String($0) }
            // Where a line may end is up to the text.
            if tag == "wbr" { continue }
            let quoted = parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
            if words == ["code", "data-text="] {
                tags.append(Tag(name: "code", attributes: []))
                copied += quoted
                continue
            }
            tags.append(Tag(name: words.first ?? "", attributes: Array(words.dropFirst())))
            if !words.contains("aria-label=") { values += quoted }
        }
    }

    /// The text with its entities resolved.
    var readableText: String {
        var readable = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "&", rest.first == "#", let end = rest.firstIndex(of: ";"),
                let value = UInt32(String(rest[..<end].dropFirst())), let resolved = Unicode.Scalar(value)
            else {
                readable.append(scalar)
                continue
            }
            readable.append(resolved)
            rest = rest[rest.index(after: end)...]
        }
        return String(readable)
    }
}
