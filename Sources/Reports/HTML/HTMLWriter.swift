import Mustache

/// `--report out.html`: the report as one page that needs nothing else, neither a network nor a script.
///
/// The templates in `Templates` escape every text. The two exceptions, with three braces, are our style sheet and
/// the charts, which ``SVG`` makes of numbers and of text that it escapes itself.
enum HTMLWriter: DocumentWriter {
    typealias Row = HTMLRow
    static let format = ReportFormat.html

    static func parts(of document: ReportDocument) -> (before: String, behind: String) {
        let page = PageView(document)
        let part = { HTMLTemplates.library.render(page, withTemplate: $0) ?? "" }
        return (part("page"), part("end"))
    }
}

/// What is embedded in the binary.
enum HTMLTemplates {
    static let library = MustacheLibrary(
        templates: [
            "page": PackageResources.page_mustache, "end": PackageResources.end_mustache,
            "chart": PackageResources.chart_mustache,
            "chapter": PackageResources.chapter_mustache, "table": PackageResources.table_mustache,
            "cell": PackageResources.cell_mustache,
            "section": PackageResources.section_mustache, "findings": PackageResources.findings_mustache,
            "run": PackageResources.run_mustache,
        ].compactMapValues(template))

    static let style =
        "\n"
        + [
            PackageResources.color_css, PackageResources.layout_css, PackageResources.table_css,
            PackageResources.chart_css,
        ].map { String(decoding: $0, as: UTF8.self) }.joined()

    /// - Returns: `nil` if it is no template, which a test would show.
    private static func template(_ bytes: [UInt8]) -> MustacheTemplate? {
        do { return try MustacheTemplate(string: HTMLText.pragma + String(decoding: bytes, as: UTF8.self)) } catch {
            return nil
        }
    }
}
