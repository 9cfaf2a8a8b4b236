import Encodings

extension ReportDocument {
    /// The verdict at a glance, in whole sentences of ours.
    var verdict: [String] { [claimsSentence, findingsSentence, changesSentence].compactMap { $0 } }

    private var claimsSentence: String {
        let rows = summary["verdicts"]?.rows ?? []
        guard claims > 0 else { return "There were no claims to audit." }
        let parts = rows.map { row in "\(row[1].displayText) \(row[0].displayText) (\(row[2].displayText))" }
        return "\(counted(claims, "claim", grouped)) audited: \(Self.joined(parts))."
    }

    private var findingsSentence: String {
        let rows = summary["severities"]?.rows ?? []
        let findings = rows.compactMap { $0.last?.count }.reduce(0, +)
        guard findings > 0 else { return "No rule found anything." }
        let parts = rows.map { row in "\(row[1].displayText) \(row[0].displayText)" }
        return "\(counted(findings, "finding", grouped)): \(Self.joined(parts))."
    }

    private var changesSentence: String? {
        guard let changes = summary["changes"] else { return nil }
        let parts = changes.rows.map { row in "\(row[1].displayText) \(row[0].displayText)" }
        return "Since the earlier report: \(Self.joined(parts))."
    }

    /// `a`, `a and b`, `a, b and c`.
    private static func joined(_ parts: [String]) -> String {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + " and " + last
    }
}

extension Summary.Cell {
    /// The number, if it is one.
    var count: Int? { if case .number(let number) = self { number } else { nil } }
}
