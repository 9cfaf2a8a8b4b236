import Reports
import Rules
import Testing

struct `audit rules` {
    @Test func `lists all rules`() throws {
        let process = try AuditProcess("rules")
        #expect(process.exitCode == 0)
        #expect(process.messages == "")
        #expect(process.output.split(separator: "\n").map(String.init) == RuleText(isColored: false, width: 80).table())
    }

    @Test func `explains one, in eighty columns where there is no terminal`() throws {
        let process = try AuditProcess("rules", "shared-receipt")
        let lines = RuleText(isColored: false, width: 80).explanation(of: SharedReceipt.self)
        #expect(process.output == lines.map { $0 + "\n" }.joined())
        #expect(process.exitCode == 0)
    }

    @Test func `writes JSON and Markdown`() throws {
        #expect(try AuditProcess("rules", "--json").output == RuleTextJSON.text())
        #expect(try AuditProcess("rules", "fraud-ring", "--json").output == RuleTextJSON.text(of: FraudRing.self))
        #expect(try AuditProcess("rules", "--markdown").output == RuleTextMarkdown.text())
    }

    @Test(arguments: [
        (["shared-reciept"], "There is no rule “shared-reciept”; did you mean “shared-receipt”?"),
        (["\u{1b}[2J"], "There is no rule “\\u{1b}[2J”; `audit rules` lists them."),
        (["--markdown", "--json"], "--markdown and --members write a whole page, and work with no other option."),
        (["--markdown", "fraud-ring"], "--markdown and --members write a whole page, and work with no other option."),
    ])
    func `says what is wrong with its usage`(arguments: [String], message: String) throws {
        let process = try AuditProcess(["rules"] + arguments)
        #expect(process.exitCode == 64)
        #expect(process.output == "")
        #expect(process.messages.hasPrefix("audit: error: \(message)\n"))
    }
}
