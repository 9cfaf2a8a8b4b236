import ArgumentParser
import Encodings
import Files
import Reports
import Rules
import YAML

struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "List the rules, or explain one.",
        discussion: """
            A rule is a pattern of fraud or misuse; its findings are in the report `fraud`. Without \
            RULE, all are listed with their severities. A policy changes severities and limits, and \
            switches rules off (jobs/policy.example.yml).

            EXAMPLES
              audit rules
              audit rules shared-receipt
              audit rules --json | jq -r '.[] | select(.severity == "critical") | .id'

            EXIT CODES
              0    done
              64   wrong usage, or no rule has this id
            """
    )

    @Argument(help: ArgumentHelp("The id of the rule to explain.", valueName: "rule"))
    var id: String?

    @Flag(help: "Write JSON: an object for the rule, or an array of all.")
    var json = false

    @Flag(help: .hidden)
    var markdown = false

    /// Writes docs/app-store-members.md.
    @Flag(help: .hidden)
    var members = false

    /// Writes docs/tables.schema.json.
    @Flag(help: .hidden)
    var tableSchema = false

    /// Writes docs/tables.sql.
    @Flag(help: .hidden)
    var tableSql = false

    /// Reads reports/README.md from standard input, and writes it with the columns of tables.
    @Flag(help: .hidden)
    var tableMarkdown = false

    @OptionGroup var color: ColorOption

    func validate() throws {
        guard !(json && markdown), !(markdown && id != nil), !members || !json && !markdown && id == nil else {
            throw ValidationError("--markdown and --members write a whole page, and work with no other option.")
        }
        guard let id, RuleBook.rule(ExactText(id)) == nil else { return }
        let near = Nearest.question(ExactText(id), among: RuleBook.ids)
        throw ValidationError(
            "There is no rule “\(TerminalText.escaped(id))”\(near.isEmpty ? "; `audit rules` lists them." : near)")
    }

    func run() throws {
        let console = Console(color.color)
        try console.answer { try console.write(try text(console)) }
    }

    private func text(_ console: Console) throws -> String {
        if markdown { return RuleTextMarkdown.text() }
        if members { return MemberTableMarkdown.text() }
        if tableSchema { return try TableDefinitions.jsonSchema() }
        if tableSql { return TableDefinitions.sql() }
        if tableMarkdown {
            var page = ""
            while let line = readLine(strippingNewline: false) { page += line }
            return TableDefinitions.markdown(in: page)
        }
        let rule = id.flatMap { RuleBook.rule(ExactText($0)) }
        if json { return try rule.map { try RuleTextJSON.text(of: $0) } ?? RuleTextJSON.text() }
        let width = StandardError.isOutputTerminal ? StandardError.width : 80
        let text = RuleText(isColored: console.isOutputColored, width: width)
        return (rule.map { text.explanation(of: $0) } ?? text.table()).map { $0 + "\n" }.joined()
    }
}
