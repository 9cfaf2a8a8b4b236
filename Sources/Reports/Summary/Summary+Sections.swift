import Checks
import Encodings
package import Engine
import Inputs
package import Rules
package import Subscriptions

extension Summary {
    /// - Parameter history: how findings compare with those in the ledger.
    init(_ result: AuditResult, _ run: RunDescription, changes: ChangeCounts?, history: ChangeCounts) {
        self.init(
            result.tally, result.breakdown, result.findingTally, result.figures, run, result.policy,
            unknown: result.unknown, changes: changes, reviews: Self.reviews(history))
        sections += Self.money(result) + [result.completeness.map(Self.completeness)].compactMap(\.self)
    }

    /// Makes the summary of a run from parts that were counted elsewhere.
    package init(
        _ tally: Tally, _ breakdown: Breakdown, _ findings: FindingTally, _ figures: SubscriptionFigures,
        _ run: RunDescription, _ policy: Policy, unknown: UnknownTally, changes: ChangeCounts? = nil,
        reviews: [Section] = []
    ) {
        let unsearched = findings.unsearchedForRings(RuleSet(policy, asOf: run.asOf))
        sections =
            [Self.description(run, claims: tally.claims)] + Self.claims(tally, breakdown)
            + Self.findings(findings, changes, policy, asOf: run.asOf) + reviews + Self.subscriptions(figures)
            + [Self.unknown(unknown), Self.omissions(run.omissions, tally, unsearched)]
        sections.removeAll { $0.rows.isEmpty }
    }

    /// The label of the row with the command line.
    static let repeatLabel = "command"

    /// The label of the rows with reasons why the run is doubtful.
    static let doubtLabel = "doubtful"

    /// Returns everything that is needed to repeat the run.
    static func description(_ run: RunDescription, claims: Int) -> Section {
        var rows: [[Cell]] = [
            [.code("as of"), .date(run.asOf)], [.code("claims"), .number(claims)],
            [.code("audit"), .code(run.version)], [.code("OpenSSL"), .code(run.openSSL)],
        ]
        rows += run.doubts.map { [.code(doubtLabel), .text(ExactText($0))] }
        rows += run.inputs.map { [.code("input"), .text(ExactText($0))] }
        rows += run.roots.map { [.code("trust anchor (SHA-256)"), .code($0)] }
        if let policy = run.policy {
            rows.append([.code("policy"), .text(ExactText(policy.file))])
            rows.append([.code("policy (SHA-256)"), .code(policy.sha256)])
        } else {
            rows.append([.code("policy"), .code("standard")])
        }
        if let job = run.job {
            rows.append([.code("job"), .text(ExactText(job.file))])
            rows.append([.code("job (SHA-256)"), .code(job.sha256)])
        }
        if let baseline = run.baseline { rows.append([.code("compared with"), .text(ExactText(baseline))]) }
        rows.append([.code(repeatLabel), .text(ExactText(run.command))])
        return Section(
            "run", "This run", "The same inputs, policy, trust anchors and as-of give the same report.",
            columns: ["what", "value"], rows: rows)
    }

    private static func omissions(_ omissions: Omissions, _ tally: Tally, _ unsearched: Int) -> Section {
        let skipped = omissions.skipped
        var rows: [[Cell]] = []
        if skipped.specialFiles > 0 {
            rows.append([.code("devices, FIFOs or sockets"), .number(skipped.specialFiles), .none])
        }
        if skipped.links > 0 {
            rows.append([.code("symbolic links to folders, or dangling"), .number(skipped.links), .none])
        }
        if skipped.leftovers > 0 {
            rows.append([.code("files that programs leave beside people's"), .number(skipped.leftovers), .none])
        }
        for folder in skipped.unreadablePaths {
            rows.append([.code("folder that cannot be opened"), .number(1), .text(ExactText(folder))])
        }
        if skipped.unreadableFolders > skipped.unreadablePaths.count {
            let more = skipped.unreadableFolders - skipped.unreadablePaths.count
            rows.append([.code("more folders that cannot be opened"), .number(more), .none])
        }
        for column in omissions.unknownColumns {
            rows.append([.code("unknown column"), .none, .text(ExactText(column))])
        }
        if unsearched > 0 {
            let searched = "findings beyond the \(grouped(RingSearch.limit)) in which rings are searched"
            rows.append([.code(searched), .number(unsearched), .none])
        }
        for (what, count) in tally.omissions { rows.append([.code(what), .number(count), .none]) }
        return Section(
            "skipped", "Skipped", "What this run left out, and how many.", columns: ["what", "count", "name"],
            rows: rows)
    }

    /// Returns verdicts and failed checks, and figures of genuine receipts.
    private static func claims(_ tally: Tally, _ breakdown: Breakdown) -> [Section] {
        [
            shares(
                "verdicts", "Claims by verdict", "Each claim has one verdict, the result of all its checks.", "verdict",
                tally.verdicts.occurring.map { ($0.value.rawValue, $0.count) }, of: tally.claims),
            shares(
                "checks", "Failed checks", "A claim may fail several.", "check",
                tally.failedChecks.occurring.map { ($0.value.code, $0.count) }, of: tally.claims),
            shares(
                "device_hash", "Device hash",
                "Whether the receipt was made for the device that presents it. Claims without a device or a receipt are not checked.",
                "device hash", tally.deviceHashResults.occurring.map { ($0.value.rawValue, $0.count) },
                of: tally.claims),
            verdicts(
                "environments", "Environments", "The environments of receipts that Apple signed.", "environment",
                breakdown.environments.map { ($0.key.isEmpty ? .code("(none)") : .text($0.key), $0.value) }),
            verdicts(
                "apps", "Apps", "Of receipts that Apple signed.", "bundle id",
                breakdown.apps.map { (.text($0.key), $0.value) }),
            verdicts(
                "other_versions", "Other versions",
                "Receipts that Apple signed, of app versions that the policy does not list.",
                "bundle id",
                breakdown.otherVersions.map { (.text($0.key), $0.value) }),
            Section(
                "products", "Products", "Claims with a purchase of the product, in receipts that Apple signed.",
                columns: ["product", "claims"],
                rows: breakdown.products.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                    .map { [.text($0.key), .number($0.value)] }),
            Section(
                "months", "Months", "The months in which receipts that Apple signed were created.",
                columns: ["month", "valid", "invalid"],
                rows: breakdown.months.sorted { $0.key < $1.key }
                    .map { [.code($0.key.description), .number($0.value.valid), .number($0.value.invalid)] }),
        ]
    }

    private static func shares(
        _ id: String, _ title: String, _ explanation: String, _ column: String, _ counts: [(name: String, count: Int)],
        of total: Int
    ) -> Section {
        Section(
            id, title, explanation, columns: [column, "claims", "share"],
            rows: counts.map { [.code($0.name), .number($0.count), .share($0.count, of: total)] })
    }

    /// Returns verdicts by name, sorted by the number of claims.
    private static func verdicts(
        _ id: String, _ title: String, _ explanation: String, _ column: String,
        _ counts: [(name: Cell, verdicts: Breakdown.Verdicts)]
    ) -> Section {
        let sorted = counts.sorted { a, b in
            (b.verdicts.total, ExactText(a.name.plainText)) < (a.verdicts.total, ExactText(b.name.plainText))
        }
        return Section(
            id, title, explanation, columns: [column, "claims", "valid", "invalid"],
            rows: sorted.map {
                [$0.name, .number($0.verdicts.total), .number($0.verdicts.valid), .number($0.verdicts.invalid)]
            })
    }

    /// Returns the findings, and those that the policy hid.
    private static func findings(
        _ tally: FindingTally, _ changes: ChangeCounts?, _ policy: Policy, asOf: Instant
    ) -> [Section] {
        var sections = [
            Section(
                "findings", "Findings", "One finding is one occurrence of a rule on one subject.",
                columns: ["rule", "severity", "findings", "title"], rows: rows(tally)),
            Section(
                "severities", "Findings by severity", "The severity is the rule's, or the policy's.",
                columns: ["severity", "findings"],
                rows: Severity.allCases.reversed().filter { tally.count($0) > 0 }
                    .map { [.code($0.code), .number(tally.count($0))] }),
        ]
        sections[0].keys = 2
        if tally.allowedTotal > 0 {
            sections.append(
                Section(
                    "allowed", "Allowed by the policy",
                    "Findings about subjects on the allow list: counted, not reported.",
                    columns: ["rule", "findings"],
                    rows: RuleBook.ids.indices.filter { tally.allowedCount(ofRule: $0) > 0 }
                        .map { [.code(RuleBook.ids[$0].text), .number(tally.allowedCount(ofRule: $0))] }))
        }
        sections.append(allowList(tally, policy, asOf: asOf))
        if let changes {
            sections.append(
                Section(
                    "changes", "Changes since the earlier report",
                    "Findings are identified by rule and subject.", columns: ["change", "findings"],
                    rows: [
                        [.code("new"), .number(changes.new)], [.code("persisting"), .number(changes.persisting)],
                        [.code("resolved"), .number(changes.resolved)],
                    ]))
        }
        return sections
    }

    /// Returns the statuses of findings, if any was reviewed.
    private static func reviews(_ changes: ChangeCounts) -> [Section] {
        let counts = FindingStatus.allCases.map { (status: $0, findings: changes.count(of: $0)) }
        guard counts.contains(where: { $0.status != .open && $0.findings > 0 }) else { return [] }
        return [
            Section(
                "reviews", "Findings by status",
                "What `audit review` recorded in the ledger. A finding that is fraud or ok is closed.",
                columns: ["status", "findings"],
                rows: counts.map { [.code($0.status.rawValue), .number($0.findings)] })
        ]
    }

    /// Returns the number of used entries of the allow list.
    private static func allowList(_ tally: FindingTally, _ policy: Policy, asOf: Instant) -> Section {
        let used = tally.usedAllowances.count
        let ended = policy.allowances.count { !$0.holds(at: asOf) }
        let entries = [("used", used), ("unused", policy.allowances.count - ended - used), ("ended", ended)]
        return Section(
            "allow_list", "Entries of the allow list",
            "An unused entry hid nothing: its subject has no finding, or is not written as in the table.",
            columns: ["entry", "entries"], rows: entries.filter { $0.1 > 0 }.map { [.code($0.0), .number($0.1)] })
    }

    /// Returns rules by severity, the worst first, then in the order of the rule book.
    private static func rows(_ tally: FindingTally) -> [[Cell]] {
        Severity.allCases.reversed().flatMap { severity in
            RuleBook.rules.enumerated().compactMap { number, rule -> [Cell]? in
                let count = tally.count(ofRule: number, severity)
                guard count > 0 else { return nil }
                let text = rule.documentation
                return [.code(text.id.text), .code(severity.code), .number(count), .code(text.title)]
            }
        }
    }
}
