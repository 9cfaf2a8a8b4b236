/// The page as the template `page` sees it.
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
    /// What stands around the rows of the table `receipts`.
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
        // A number and its sign stay together.
        verdict = document.verdict.map { Line(text: $0.replacing(" %", with: "\u{a0}%")) }
        charts = Chart.verdicts(document)
        ruleCharts = Chart.rules(document)
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
        commands = [document.command(format: .html)].compactMap { $0 }.map { Line(text: $0) }
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
        (document.hasSubscriptions ? chapter("subscriptions", "Subscriptions", document.subscriptionSections) : [])
            + (document.hasFigures ? chapter("figures", "Figures", document.figureSections) : [])
    }

    /// The chapter, if anything stands in it.
    private static func chapter(_ id: String, _ title: String, _ sections: [Summary.Section]) -> [Chapter] {
        sections.isEmpty ? [] : [Chapter(id: id, title: title, sections: sections.map { SectionView($0) })]
    }
}
