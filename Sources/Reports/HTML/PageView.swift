/// The values of the template `page`.
struct PageView {
    struct Line { let text: String }
    struct Place {
        let id: String
        let title: String
    }
    struct Chapter {
        let id: String
        let title: String
        let sections: [SectionView]
    }
    /// The texts around the rows of the table `receipts`.
    struct Receipts {
        let explanation = ReportDocument.receiptsExplanation
        let columns = ReportDocument.receiptsColumns.map { TableView.Column(text: $0.name, isNumeric: $0.isNumeric) }
        let hasNote: Bool
        let note: [CellView]

        init(_ document: ReportDocument) {
            hasNote = document.receiptsNote != nil
            note = CellView.sentences(document.receiptsNote ?? "")
        }
    }

    let title: String
    let style = HTMLTemplates.style
    let stylePolicy = StylePolicy.source
    let hasInputs: Bool
    let inputs: [Line]
    let moreInputs: String
    let contents: [Place]
    let verdict: [Line]
    let charts: [Chart]
    let ruleCharts: [Chart]
    let glance: [TableView]
    let hasFindings: Bool
    let overview: [SectionView]
    let hasFindingsNote: Bool
    let findingsNote: [CellView]
    let groups: [GroupView]
    let chapters: [Chapter]
    let receipts: [Receipts]
    let lastChapters: [Chapter]
    let commands: [Line]
    let run: [SectionView]

    private static let maxInputs = 20

    init(_ document: ReportDocument) {
        title = document.title
        hasInputs = !document.inputs.isEmpty
        inputs = document.inputs.prefix(Self.maxInputs).map { Line(text: $0) }
        let more = document.inputs.count - Self.maxInputs
        moreInputs = more > 0 ? "and \(grouped(more)) more" : ""
        // A number and its sign must stay together.
        verdict = document.verdict.map { Line(text: $0.replacing(" %", with: "\u{a0}%")) }
        charts = [Chart.verdicts(document)].compactMap { $0 }
        ruleCharts = [Chart.rules(document)].compactMap { $0 }
        glance = ["verdicts", "severities"].compactMap { document.summary[$0] }.map { TableView($0) }
        hasFindings = document.hasFindings
        overview =
            document.hasFindings
            ? ([document.overview].compactMap { $0 } + document.findingSections).map { SectionView($0) } : []
        hasFindingsNote = document.findingsNote != nil
        findingsNote = CellView.sentences(document.findingsNote ?? "")
        groups = document.hasFindings ? GroupView.all(document) : []
        chapters = Self.chapters(document)
        receipts = document.hasReceipts ? [Receipts(document)] : []
        lastChapters = Self.chapter("skipped", "Skipped", [document.summary["skipped"]].compactMap { $0 })
        commands = [document.command(format: HTMLFormat.name)].compactMap { $0 }.map { Line(text: $0) }
        run = [document.runSection].compactMap { $0 }.map { SectionView($0) }
        contents =
            [Place(id: "glance", title: "At a glance")]
            + (hasFindings ? [Place(id: "findings", title: "Findings")] : [])
            + chapters.map { Place(id: $0.id, title: $0.title) }
            + (document.hasReceipts ? [Place(id: "receipts", title: "Receipts")] : [])
            + lastChapters.map { Place(id: $0.id, title: $0.title) } + [
                Place(id: "run", title: "How to repeat this run")
            ]
    }

    private static func chapters(_ document: ReportDocument) -> [Chapter] {
        chapter("entities", "Entities", document.entitySections)
            + (document.hasSubscriptions
                ? chapter("subscriptions", "Subscriptions", document.subscriptionSections) : [])
            + (document.hasFigures ? chapter("figures", "Figures", document.figureSections) : [])
    }

    /// Returns the chapter if it has any sections.
    private static func chapter(_ id: String, _ title: String, _ sections: [Summary.Section]) -> [Chapter] {
        sections.isEmpty ? [] : [Chapter(id: id, title: title, sections: sections.map { SectionView($0) })]
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
    /// The charts above their tables, which say the same and open on demand.
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

    init(_ section: Summary.Section) {
        title = section.title
        explanation = CellView.sentences(section.explanation)
        hasExplanation = !section.explanation.isEmpty
        hasTerms = !section.terms.isEmpty
        terms = section.terms.map { Term($0) }
        charts = [Chart.of(section)].compactMap { $0 }
        heatMaps = [Chart.heatMap(of: section)].compactMap { $0 }
        let all = section.rows.isEmpty ? [] : [TableView(section)]
        tables = heatMaps.isEmpty ? all : []
        foldedTables = heatMaps.isEmpty ? [] : all
    }
}
