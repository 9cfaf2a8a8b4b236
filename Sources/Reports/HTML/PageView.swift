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
    let groups: [GroupView]
    let chapters: [Chapter]
    let commands: [Line]
    let run: [SectionView]

    private static let mostInputs = 20

    init(_ document: ReportDocument) {
        title = document.title
        hasInputs = !document.inputs.isEmpty
        inputs = document.inputs.prefix(Self.mostInputs).map { Line(text: $0) }
        let more = document.inputs.count - Self.mostInputs
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
        groups = document.hasFindings ? GroupView.all(document) : []
        chapters = Self.chapters(document)
        commands = [document.command(format: .html)].compactMap { $0 }.map { Line(text: $0) }
        run = [document.runSection].compactMap { $0 }.map { SectionView($0) }
        contents =
            [Place(id: "glance", title: "At a glance")]
            + (hasFindings ? [Place(id: "findings", title: "Findings")] : [])
            + chapters.map { Place(id: $0.id, title: $0.title) } + [Place(id: "run", title: "How to repeat this run")]
    }

    private static func chapters(_ document: ReportDocument) -> [Chapter] {
        var chapters: [Chapter] = []
        let add = { (id: String, title: String, sections: [Summary.Section]) in
            guard !sections.isEmpty else { return }
            chapters.append(Chapter(id: id, title: title, sections: sections.map { SectionView($0) }))
        }
        if document.hasSubscriptions { add("subscriptions", "Subscriptions", document.subscriptionSections) }
        if document.hasFigures { add("figures", "Figures", document.figureSections) }
        add("skipped", "Skipped", [document.summary["skipped"]].compactMap { $0 })
        return chapters
    }
}
