import ArgumentParser
import Files
import Reports

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show everything in a report about one account, device, transaction, receipt, claim or finding.",
        usage: "audit show <report.sqlite> <subject> [<options>]",
        discussion: """
            REPORT is a database that `audit run --report FILE.sqlite` wrote. SUBJECT is what reports name: account:…, \
            device:…, person:…, transaction:…, receipt:…, signer:…, claim:… or finding:…; the id alone is enough if it \
            is unambiguous. Each list shows its first 20 rows; docs/analysis.md has SQL for more.

            --html writes a case file, for colleagues, support or a lawyer: who, what happened when, with whom, each finding \
            with its evidence and when it is wrong, the money, the decisions and who made them; and an appendix with the \
            claims and how to repeat the run. It needs no network. Any browser prints it; without one on the screen:

              chromium --headless --no-sandbox --no-pdf-header-footer \\
                --print-to-pdf=case.pdf case.html

            EXAMPLES
              audit show report.sqlite account:alice
              audit show report.sqlite 431905a900d75991836106de
              audit show report.sqlite account:alice --html case.html
              audit show report.sqlite alice --json | jq -r '.findings.rows[].evidence'

            EXIT CODES
              0    done
              2    the report cannot be read, or has nothing of that name
              64   wrong usage
            """
    )

    @Argument(help: ArgumentHelp("The report.", valueName: "report.sqlite"), completion: .file())
    var report: String

    @Argument(help: ArgumentHelp("What to show.", valueName: "subject"))
    var subject: String

    @Flag(help: "Write JSON.")
    var json = false

    @Option(
        help: ArgumentHelp("Write a case file to print or to hand on; - is standard output.", valueName: "file"),
        completion: .file())
    var html: String?

    @OptionGroup var color: ColorOption

    func validate() throws {
        if json, html != nil { throw ValidationError("Choose --json or --html.") }
    }

    func run() throws {
        let console = Console(color.color)
        try console.answer {
            if let html { return try writeCase(to: html) }
            let shown = try ShownSubject(subject, in: report)
            if json { return try console.write(try shown.json()) }
            try console.write(
                ShownText(isColored: console.isOutputColored, width: console.outputWidth).lines(of: shown))
        }
    }
    /// Writes the case file, whole or not at all.
    private func writeCase(to path: String) throws {
        if path != "-", let written = FileIdentity(path), written == FileIdentity(report) {
            throw OutputConflict(output: "--html \(path)", other: report, reason: .replaces)
        }
        let page = CasePage(try CaseFile(subject, in: report))
        let file = try OutputFile(replacing: path)
        try file.write(Array(page.html.utf8).span)
        try file.finish()
        try file.publish()
    }
}
