import ArgumentParser
import Files
import Reports

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Make a page or a workbook from a report in SQLite, without another audit.",
        usage: "audit report <report.sqlite> --report <[table=]file>...",
        discussion: """
            REPORT is one that `audit run --report FILE.sqlite` wrote. It has all that pages and workbooks show, and says which run it \
            is: the reference time, the version, the inputs, policy and trust anchors, and the command that repeats it.

            EXAMPLES
              audit report report.sqlite --report report.html --report report.xlsx
              audit report report.sqlite --report report.md --report fraud=findings.html

            EXIT CODES
              0    done
              2    the report cannot be read, or a file cannot be written
              64   wrong usage
            """
    )

    @Argument(help: ArgumentHelp("The report.", valueName: "report.sqlite"), completion: .file())
    var database: String

    @Option(
        name: .customLong("report"),
        help: ArgumentHelp("Write this page or workbook: .html, .md or .xlsx.", valueName: "[table=]file"),
        completion: .file())
    var pages: [ReportTarget] = []

    @OptionGroup var color: ColorOption

    func validate() throws {
        guard !pages.isEmpty else { throw ValidationError("say what to write: --report report.html") }
        _ = try requests()
    }

    func run() throws {
        let console = Console(color.color)
        try console.answer {
            let requests = try requests()
            for request in requests {
                if request.path != "-", let written = FileIdentity(request.path), written == FileIdentity(database) {
                    throw OutputConflict(output: "--report \(request.path)", other: database, reason: .replaces)
                }
            }
            try StoredReport(database).write(requests, temporaryFolder: RunSettings.temporaryFolder)
        }
    }

    private func requests() throws -> [ReportRequest] {
        try pages.map { page in
            if let problem = page.problem { throw ValidationError(problem) }
            guard let format = ReportFormat(path: page.file) else { throw ValidationError("--report \(page.file)") }
            let path = page.isStandardOutput ? "-" : page.file
            let request = ReportRequest(ReportRequest.Table(rawValue: page.table), format, path: path)
            guard request.isView else {
                throw ValidationError(
                    "--report \(page.file): a database gives pages, .html or .md, and workbooks, .xlsx.")
            }
            return request
        }
    }
}
