import ArgumentParser
import Files
import Reports

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show everything in a report about one account, device, transaction, receipt, claim or finding.",
        discussion: """
            REPORT is one that `audit run --report FILE.sqlite` wrote. SUBJECT is what reports name: account:…, \
            device:…, person:…, transaction:…, receipt:…, signer:…, claim:… or finding:…; the id alone is enough if it \
            is unambiguous. Each list shows its first 20 rows; docs/analysis.md has SQL for more.

            EXAMPLES
              audit show report.sqlite account:alice
              audit show report.sqlite 431905a900d75991836106de
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

    @OptionGroup var color: ColorOption

    func run() throws {
        let console = Console(color.color)
        try console.answer {
            let shown = try ShownSubject(subject, in: report)
            if json { return try console.write(try shown.json()) }
            try console.write(
                ShownText(isColored: console.isOutputColored, width: console.outputWidth).lines(of: shown))
        }
    }
}
