import Mustache

/// `--report out.html`: the report as one page that needs nothing else, neither a network nor a script.
///
/// The templates in `Templates` escape every text. The two exceptions, with three braces, are our style sheet and
/// the charts, which ``SVG`` makes of numbers and of text that it escapes itself.
enum HTMLWriter: DocumentWriter {
    static func text(of document: ReportDocument) -> String {
        HTMLTemplates.library.render(PageView(document), withTemplate: "page") ?? ""
    }
}

/// What is embedded in the binary.
enum HTMLTemplates {
    static let library = MustacheLibrary(
        templates: [
            "page": PackageResources.page_mustache, "chart": PackageResources.chart_mustache,
            "table": PackageResources.table_mustache, "cell": PackageResources.cell_mustache,
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
