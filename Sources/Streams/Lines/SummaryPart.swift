import Encodings
import Engine
import FoundationEssentials
import Rules
import Subscriptions

/// What one process has counted: the parts of all processes together are the summary.
struct SummaryPart: Codable {
    /// Names policy, roots and as-of, which must be the same in all parts.
    var settings: ExactText
    var tally = Tally()
    var breakdown = Breakdown()
    var findings = FindingTally()
    var figures: SubscriptionFigures.Content?
    var rings: [RingFinding] = []
    /// By the ring's number: how many claims it is about.
    var ringClaims: [Int: Int] = [:]
    /// The columns of tables that nobody asked for, by the number of the input.
    var unknownColumns: [Int: [String]] = [:]
    /// The same of JSON objects.
    var unknownKeys: [String] = []

    /// A ring, but for its claims.
    struct RingFinding: Codable {
        var number: Int
        var severity: ExactText
        var subject: ExactText
        var devices: Int
        var accounts: Int
        var sources: [ExactText]
        var evidence: String
    }

    init(settings: ExactText) { self.settings = settings }

    func write(to line: inout LineWriter) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        line.begin(.summary)
        line.text(String(decoding: try encoder.encode(self), as: UTF8.self))
        line.end()
    }

    init(_ fields: inout LineFields) throws(LineFault) {
        let text = try fields.text()
        do {
            self = try JSONDecoder().decode(SummaryPart.self, from: Data(text.utf8))
        } catch {
            throw .malformed("a part of the summary cannot be read")
        }
    }
}
