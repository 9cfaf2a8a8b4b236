import Encodings
import Engine
import Proofs
import Rules

/// The values of the template `page`.
struct PageView {
    struct Line { let text: String }
    /// A sentence at the top, with the place of its details.
    struct Sentence {
        let text: String
        let place: String?
    }
    struct Place {
        let id: String
        let title: String
    }
    struct Chapter {
        let id: String
        let title: String
        let sections: [SectionView]
    }
    /// The texts before and after the rows of the table `receipts`.
    struct Receipts {
        let explanation = ReportDocument.receiptsExplanation
        let columns = ReportDocument.receiptsColumns.map { TableView.Column(text: $0.name, isNumeric: $0.isNumeric) }
    }
    /// The worst claims.
    struct Claims {
        let table: [TableView]
        let hasNote: Bool
        let note: [CellView]
    }

    let title: String
    let style = HTMLTemplates.style
    let stylePolicy = HTMLTemplates.stylePolicy
    let script = HTMLTemplates.script
    let scriptPolicy = HTMLTemplates.scriptPolicy
    let hasInputs: Bool
    let inputs: [Line]
    let moreInputs: String
    let contents: [Place]
    let verdict: [Sentence]
    let glance: [GlanceView]
    let hasQueue: Bool
    let queue: QueueView
    let findingSections: [SectionView]
    let decisions: [DecisionsView]
    let resolved: [TableView]
    let hasCards: Bool
    let cardsExplanation: [CellView]
    let cards: [CardView]
    let claims: [Claims]
    let chapters: [Chapter]
    let hasRules: Bool
    let rules: [RuleView]
    let receipts: [Receipts]
    let hasIndex: Bool
    /// A sentence about the content of the index.
    let indexExplanation: [CellView]
    /// Whether each entity with findings has a line.
    let isIndexComplete: Bool
    let asOf: String
    /// The digest of all that is needed to repeat this run, which tells it from other runs.
    let runID: String
    /// The anchor and the name of the part that the skip link leads to.
    let main: String
    let mainTitle: String
    let lastChapters: [Chapter]
    let commands: [Line]
    let run: [SectionView]

    private static let maxInputs = 20

    init(_ document: ReportDocument) throws {
        let index = document.table == nil ? try PageIndex(report: document.report).counts() : nil
        title = document.title
        hasInputs = !document.inputs.isEmpty
        inputs = document.inputs.prefix(Self.maxInputs).map { Line(text: $0) }
        let more = document.inputs.count - Self.maxInputs
        moreInputs = more > 0 ? "and \(grouped(more)) more" : ""
        // A number and its percent sign must stay on one line.
        let support = document.supportSentence
        verdict = document.verdict.map {
            Sentence(text: $0.replacing(" %", with: "\u{a0}%"), place: $0 == support ? "support" : nil)
        }
        hasQueue = document.hasFindings
        queue = try QueueView(document, hasIndex: index != nil)
        glance = try GlanceView.all(document)
        findingSections = document.hasFindings ? document.findingSections.map { SectionView($0) } : []
        var placed = queue.ids
        decisions = document.hasFindings ? [DecisionsView(document.decided, &placed)].compactMap(\.self) : []
        resolved = document.hasFindings ? Self.resolved(document) : []
        cards = document.table == nil ? CardView.all(document, placed: placed) : []
        hasCards = !cards.isEmpty
        cardsExplanation = CellView.sentences(document.entities.section(cards.count).explanation)
        claims = try Self.claims(document)
        chapters = try Self.chapters(document)
        rules =
            document.hasFindings
            ? document.findings.byRule.compactMap {
                RuleView($0, quality: document.quality(of: $0.rule))
            } : []
        hasRules = !rules.isEmpty
        receipts = document.hasReceipts ? [Receipts()] : []
        hasIndex = index.map { !$0.isEmpty } ?? false
        isIndexComplete = index?.isComplete ?? false
        indexExplanation = CellView.sentences(index.map(Self.explanation) ?? "")
        asOf = document.summary.asOf?.description ?? ""
        runID = Self.id(of: document.summary["run"])
        (main, mainTitle) = hasQueue ? ("queue", "the findings") : ("glance", "the summary")
        lastChapters = Self.chapter("skipped", "Skipped", [document.summary["skipped"]].compactMap { $0 })
        commands = [document.command(format: HTMLFormat.name)].compactMap { $0 }.map { Line(text: $0) }
        run = [document.runSection].compactMap { $0 }.map { SectionView($0) }
        let own = [
            ("glance", "At a glance", true), ("queue", "Findings", hasQueue), ("cards", "Entities", hasCards),
            ("claims", "Claims", !claims.isEmpty),
        ]
        let rest = [("rules", "Rules", hasRules), ("receipts", "Receipts", document.hasReceipts)]
        let places = { (parts: [(String, String, Bool)]) in
            parts.filter(\.2).map { Place(id: $0.0, title: $0.1) }
        }
        contents =
            places(own) + chapters.map { Place(id: $0.id, title: $0.title) } + places(rest)
            + lastChapters.map { Place(id: $0.id, title: $0.title) } + places([("index", "Index", hasIndex)]) + [
                Place(id: "run", title: "How to repeat this run")
            ]
    }

    private static func id(of run: Summary.Section?) -> String {
        let text = (run?.rows ?? []).map { $0.map(\.plainText).joined(separator: "\t") }.joined(separator: "\n")
        // Without a digest runs share one place in the browser. The ids of findings still differ.
        do { return String(try Digest.sha256Hex(of: Array(text.utf8)).prefix(16)) } catch { return "" }
    }

    private static func explanation(of counts: IndexCounts) -> String {
        var text =
            "All \(counted(counts.findings, "finding", grouped)) that are high or critical, by severity and rule. Then "
        text += "the entities with findings, people and devices first: the worst severity, and the number of findings. "
        guard !counts.isComplete else {
            return text
                + "All \(grouped(counts.entities)) are here. A name that is missing is not cleared: it may be written "
                + "otherwise."
        }
        return text
            + "These are \(grouped(counts.shownEntities)) of \(grouped(counts.entities)): a name that is not here "
            + "may have findings. `audit show REPORT.sqlite SUBJECT` knows all, and `--report entities=FILE.csv` lists them."
    }

    private static func resolved(_ document: ReportDocument) -> [TableView] {
        guard document.findings.resolvedCount > 0 else { return [] }
        let more = document.findings.resolvedCount - document.resolved.count
        return [
            TableView(
                "No longer found", isWide: true, style: "resolved",
                ["severity", "rule", "subject", "first seen"].map { TableView.Column(text: $0, isNumeric: false) },
                document.resolved.map {
                    [.badge($0.severity.code), .untrusted($0.rule), .untrusted($0.subject), .plain($0.firstSeen)]
                },
                note: more > 0 ? "and \(grouped(more)) more: all are in `--report fraud=FILE.csv`" : nil,
                anchors: document.resolved.map { PageAnchor.of($0.id) })
        ]
    }

    private static func claims(_ document: ReportDocument) throws -> [Claims] {
        guard let claims = document.claimCounts, claims.classes.notClean > 0 else { return [] }
        let shown = try document.report.worstClaims()
        let columns = [
            "verdict", "risk", "failed checks", "rules", "source", "account", "device", "app", "presented", "claim",
        ]
        let rows = shown.map { claim -> [CellView] in
            [
                .plain(claim.verdict), claim.risk.isEmpty ? .plain("") : .badge(claim.risk),
                .plain(claim.failedChecks.replacing(";", with: ", ")), .plain(claim.rules.replacing(";", with: ", ")),
                .untrusted(claim.source), .untrusted(claim.account), .untrusted(claim.device), .untrusted(claim.app),
                .plain(String(claim.presentedAt.prefix(10))), .untrusted(claim.id),
            ]
        }
        let note = CellView.sentences(document.claimsNote(shown.count) ?? "")
        let table = TableView(
            "Claims with findings or failures, the worst first", isWide: true, style: "rows claims",
            columns.map { TableView.Column(text: $0, isNumeric: false) }, rows)
        return [Claims(table: [table], hasNote: !note.isEmpty, note: note)]
    }

    private static func chapters(_ document: ReportDocument) throws -> [Chapter] {
        let money = document.hasSubscriptions ? try money(document) : [:]
        return chapter("entities", "Entities", document.entitySections)
            + chapter("support", "Support", document.supportSections)
            + chapter("completeness", "Completeness", document.completenessSections(withDays: true))
            + chapter("rule-quality", "Reviews by rule", document.ruleQualitySections)
            + (document.hasSubscriptions
                ? chapter("subscriptions", "Subscriptions", document.subscriptionSections, money) : [])
            + (document.hasFigures ? chapter("figures", "Figures", document.figureSections) : [])
    }

    /// Returns the chapter if it has any sections.
    private static func chapter(
        _ id: String, _ title: String, _ sections: [Summary.Section], _ charts: [String: [Chart]] = [:]
    ) -> [Chapter] {
        let views = sections.map { SectionView($0, charts: charts[$0.id]) }
        return views.isEmpty ? [] : [Chapter(id: id, title: title, sections: views)]
    }

    /// The charts of amounts by month, by the section beside which they stand.
    private static func money(_ document: ReportDocument) throws -> [String: [Chart]] {
        let amounts = [
            ("subscription_recurring_revenue", "mrr_closing", "MRR"),
            ("subscription_revenue", "revenue_net", "Revenue less refunds"),
        ]
        var charts: [String: [Chart]] = [:]
        for (section, metric, title) in amounts {
            let found = try document.report.amountByMonth(metric)
            charts[section] = MoneyLine.charts(found, title, id: section, asOf: document.summary.asOf)
        }
        return charts
    }
}

/// The values of the template `section`: a section of the summary.
struct SectionView {
    let title: String
    let hasExplanation: Bool
    let explanation: [CellView]
    let hasTerms: Bool
    let terms: [Term]
    /// The charts next to the table.
    let charts: [Chart]
    let tables: [TableView]
    /// The charts above their tables, which have the same numbers and open on demand.
    let heatMaps: [Chart]
    let foldedTables: [TableView]

    struct Term {
        let name: String
        let meaning: [CellView]

        init(_ term: Summary.Term) {
            name = term.name.replacing("_", with: " ")
            meaning = CellView.sentences(term.meaning)
        }
    }

    /// - Parameter charts: the charts beside the table; `nil` for those of its own numbers.
    init(_ section: Summary.Section, charts: [Chart]? = nil) {
        title = section.title
        explanation = CellView.sentences(section.explanation)
        hasExplanation = !section.explanation.isEmpty
        hasTerms = !section.terms.isEmpty
        terms = section.terms.map { Term($0) }
        self.charts = charts ?? [Chart.of(section)].compactMap { $0 }
        heatMaps = [Chart.heatMap(of: section)].compactMap { $0 }
        let all = section.rows.isEmpty ? [] : [TableView(section)]
        tables = heatMaps.isEmpty ? all : []
        foldedTables = heatMaps.isEmpty ? [] : all
    }
}
