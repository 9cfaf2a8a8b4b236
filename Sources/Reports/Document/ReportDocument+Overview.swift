import Encodings
import Rules
import Subscriptions

extension ReportDocument {
    /// The verdict at a glance, in whole sentences.
    var verdict: [String] {
        doubts.map { "This run is doubtful: \($0)." }
            + [
                changesSentence, stakeSentence, claimsSentence, findingsSentence, supportSentence,
                subscriptionsSentence,
                table == nil || table == .completeness ? summary.completenessSentence.map { $0 + "." } : nil,
            ].compactMap(\.self)
    }

    private var claimsSentence: String {
        let rows = summary["verdicts"]?.rows ?? []
        guard claims > 0 else { return "There were no claims to audit." }
        let parts = rows.map { row in "\(row[1].displayText) \(row[0].displayText) (\(row[2].displayText))" }
        return "\(counted(claims, "claim", grouped)) audited: \(Self.joined(parts))."
    }

    /// The findings to decide about, as the queue has them, and how many reviews closed.
    private var findingsSentence: String {
        guard findings.count > 0 else { return findingsElsewhere ?? "No rule found anything." }
        let (open, closed) = (findings.openCount, findings.closedCount)
        guard open > 0 else { return "Reviews closed all \(counted(closed, "finding", grouped))." }
        let parts = findings.openSeverities.map { "\(grouped($0.count)) \($0.severity.code)" }
        let toDecide = closed > 0 ? " to decide about" : ""
        let reviewed = closed > 0 ? "; reviews closed \(grouped(closed)) more" : ""
        return "\(counted(open, "finding", grouped))\(toDecide): \(Self.joined(parts))\(reviewed)."
    }

    /// The findings of a report whose rows are elsewhere, by severity.
    private var findingsElsewhere: String? {
        let rows = summary["severities"]?.rows ?? []
        let count = rows.compactMap { $0.last?.count }.reduce(0, +)
        guard count > 0 else { return nil }
        let parts = rows.map { row in "\(row[1].displayText) \(row[0].displayText)" }
        return "\(counted(count, "finding", grouped)): \(Self.joined(parts))."
    }

    /// What customer support has to do.
    var supportSentence: String? {
        guard table == nil else { return nil }
        var parts: [String] = []
        if support.requestCount > 0 {
            let counts = [
                (support.waitingCount, " that Apple waits for"), (support.overdueCount, " overdue"),
                (support.decidedCount, " decided"),
            ]
            let states = counts.filter { $0.0 > 0 }.map { grouped($0.0) + $0.1 }
            parts.append(
                "\(counted(support.requestCount, "refund request", grouped)): \(states.joined(separator: ", "))")
        }
        if support.unclaimedCount > 0 {
            parts.append("\(counted(support.unclaimedCount, "purchase", grouped)) paid, and no claim shows it")
        }
        return parts.isEmpty ? nil : "Support: " + parts.joined(separator: "; ") + "."
    }

    private var changesSentence: String? {
        guard withChange, hasFindings else { return nil }
        let isNew = findings.newCount == 1 ? "is" : "are"
        var sentence = "\(counted(findings.newCount, "finding", grouped)) \(isNew) new"
        if findings.reopenedCount > 0 { sentence += ", \(grouped(findings.reopenedCount)) reopened" }
        let closed = findings.closedNewsCount
        if closed > 0 { sentence += ", and reviews closed \(grouped(closed)) of them" }
        if !findings.newsSeverities.isEmpty {
            sentence += closed > 0 ? "; to decide about: \(newsCounts)" : " (\(newsCounts))"
        }
        if findings.resolvedCount > 0 { sentence += "; \(grouped(findings.resolvedCount)) no longer found" }
        return sentence + "."
    }

    /// The number of new or reopened findings: `2 critical, 1 info`.
    var newsCounts: String {
        let counts = findings.newsSeverities
        guard counts.count > 1 else { return counts.first.map { $0.severity.code + " only" } ?? "" }
        return counts.map { "\(grouped($0.count)) \($0.severity.code)" }.joined(separator: ", ")
    }

    /// The maximum number of currencies named in addition to the first.
    private static let maxCurrencies = 4

    private var stakeSentence: String? {
        guard table == nil else { return nil }
        let atStake = (summary[Summary.atStakeID]?.rows ?? []).filter { $0.first == .code(Summary.urgentLabel) }
        let cleared = findings.clearedCount > 0 ? ", without those that reviews cleared" : ""
        let parts = [
            Self.money(atStake.map { Array($0.dropFirst()) }).map {
                "At stake in \(Summary.urgentLabel) findings\(cleared): \($0), each transaction once."
            },
            Self.money(summary[Summary.usedRefundsID]?.rows ?? []).map {
                "In purchases used after their refund: \($0), each once."
            },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : (parts + [SubscriptionFigures.moneyRecord]).joined(separator: " ")
    }

    /// Says the amounts in rows of an amount and a number of transactions without a price; `nil` if there is neither.
    private static func money(_ rows: [[Summary.Cell]]) -> String? {
        let amounts = rows.compactMap { $0.first.flatMap { $0.isNone ? nil : $0.visibleText } }
        let unpriced = rows.compactMap { $0.last?.count }.reduce(0, +)
        let parts =
            named(amounts) + (unpriced > 0 ? [counted(unpriced, "transaction", grouped) + " without a price"] : [])
        return parts.isEmpty ? nil : joined(parts)
    }

    /// Names the first currencies, and counts the others.
    private static func named(_ amounts: [String]) -> [String] {
        let more = amounts.count - maxCurrencies - 1
        let others = "amounts in " + grouped(more) + (more == 1 ? " other currency" : " other currencies")
        return Array(amounts.prefix(maxCurrencies + 1)) + (more > 0 ? [others] : [])
    }

    /// `a`, `a and b`, `a, b and c`.
    private static func joined(_ parts: [String]) -> String {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + " and " + last
    }
}

/// The tables of the first screen.
extension ReportDocument {
    /// The four classes of claims.
    var classes: Summary.Section? {
        guard let classes = claimCounts?.classes, classes.total > 0 else { return nil }
        let rows = [
            ("clean", classes.clean), ("valid with findings", classes.suspect), ("invalid", classes.invalid),
            ("unreadable", classes.unreadable),
        ]
        return Summary.Section(
            "classes", "Claims",
            "Each claim is in one class. Clean ones are valid and have no findings.",
            columns: ["class", "claims", "share"],
            rows: rows.map { [.code($0.0), .number($0.1), .share($0.1, of: classes.total)] })
    }

    /// Claims by month of presentation.
    var presented: Summary.Section? {
        guard let claims = claimCounts, claims.months.values.contains(where: { $0.notClean > 0 }) else { return nil }
        // The month of as-of is never whole: as-of is before its end.
        let cut = summary.asOf.map { Month($0) }
        let months = claims.months.keys.filter { $0.count == 7 && $0.first != "e" }.sorted()
        let named = ["earlier"].filter { claims.months[$0] != nil } + months
        let rows = (named + ["later"]).compactMap { month -> [Summary.Cell]? in
            guard let classes = claims.months[month] else { return nil }
            let bad = [classes.suspect, classes.invalid, classes.unreadable]
            let name: Summary.Cell = if let cut, cut.description == month { .cutMonth(cut) } else { .code(month) }
            return [name, .number(classes.total)] + bad.map { .number($0) }
                + [.share(classes.notClean, of: classes.total)]
        }
        // Undated claims belong to no month.
        let undated = claims.months[""].map { classes in
            " \(counted(classes.total, "claim", grouped)) without a date of presentation "
                + "\(classes.total == 1 ? "is" : "are") in no month; \(grouped(classes.notClean)) not clean."
        }
        return Summary.Section(
            "presented", "Claims that are not clean, by month",
            "By the month of `presented_at`: two years up to as-of. Valid claims with findings, invalid and unreadable ones,"
                + " such as damaged files, are not clean." + (undated ?? ""),
            columns: ["month", "claims", "valid_with_findings", "invalid", "unreadable", "share_not_clean"], rows: rows)
    }

    /// Returns a note about what the page omits from the queue.
    ///
    /// - Parameter hasIndex: whether the page has an index of all high and critical findings.
    func queueNote(_ groups: [FindingGroup], hasIndex: Bool = false) -> String? {
        let shown = groups.reduce(0) { $0 + $1.count }
        guard shown < findings.openCount else { return nil }
        let rest = !hasIndex ? "" : "All that are high or critical are in the index below. "
        return "These are \(grouped(shown)) of \(grouped(findings.openCount)) findings that no review closed, the most "
            + "urgent and some of every rule. \(rest)All are in a report of their own, `--report fraud=FILE.csv`."
    }

    /// Returns a note about the claims that the page omits.
    func claimsNote(_ shown: Int) -> String? {
        guard let claims = claimCounts?.classes, shown < claims.notClean else { return nil }
        return
            "These are \(grouped(shown)) of \(grouped(claims.notClean)) claims with findings or failures, the worst and "
            + "some of every rule and check. All are in a report of their own, `--report receipts=FILE.csv`."
    }

    /// Explains the order of the queue.
    static let queueExplanation =
        "Most urgent first: findings that no review closed, by severity and confidence, then new ones, the latest "
        + "presented, and what is at stake. Findings of a rule with the same evidence share a row."
}
