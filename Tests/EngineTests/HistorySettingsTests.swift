import Encodings
import Rules
import Testing

@testable import Engine

/// Under which settings the results of claims are stored.
struct `The settings of a ledger` {
    private static let rules = [rule("shared-receipt"), rule("shared-account")]

    private static func rule(
        _ id: ExactText, _ severity: Severity = .high, _ confidence: Confidence = .likely, devices: Int = 2,
        limit: ExactText = "devices"
    ) -> RuleDocumentation {
        RuleDocumentation(
            id: id, title: "", severity: severity, confidence: confidence, raisedWhen: "", why: "", whenWrong: "",
            whatToDo: "", limits: [RuleLimit(limit, standard: devices, "")])
    }

    /// A change of the rule book.
    enum Change: String, CaseIterable {
        case ruleAdded, ruleRemoved, rulesSwapped, ruleRenamed, limitRaised, limitRenamed, limitRemoved, severity
        case confidence

        var rules: [RuleDocumentation] {
            switch self {
            case .ruleAdded: [rule("first")] + `The settings of a ledger`.rules
            case .ruleRemoved: [rule("shared-receipt")]
            case .rulesSwapped: `The settings of a ledger`.rules.reversed()
            case .ruleRenamed: [rule("shared-receipt"), rule("shared-accounts")]
            case .limitRaised: [rule("shared-receipt"), rule("shared-account", devices: 3)]
            case .limitRenamed: [rule("shared-receipt"), rule("shared-account", limit: "accounts")]
            case .limitRemoved:
                [
                    rule("shared-receipt"),
                    RuleDocumentation(
                        id: "shared-account", title: "", severity: .high, raisedWhen: "", why: "", whenWrong: "",
                        whatToDo: ""),
                ]
            case .severity: [rule("shared-receipt"), rule("shared-account", .medium)]
            case .confidence: [rule("shared-receipt"), rule("shared-account", .high, .possible)]
            }
        }
    }

    @Test(arguments: Change.allCases)
    func `are others when the rule book changes, so that nothing stored before is used`(change: Change) throws {
        #expect(
            try RunHistory.settings(["0.1"], rules: change.rules) != RunHistory.settings(["0.1"], rules: Self.rules))
    }

    @Test func `are the same for the same rule book, whatever its texts say`() throws {
        let others = Self.rules.map {
            RuleDocumentation(
                id: $0.id, title: "Another title", severity: $0.severity, raisedWhen: "otherwise", why: "",
                whenWrong: "",
                whatToDo: "", limits: $0.limits)
        }
        #expect(try RunHistory.settings(["0.1"], rules: others) == RunHistory.settings(["0.1"], rules: Self.rules))
    }

    @Test func `name the rule book of this version, and are others for other versions, anchors or policies`() throws {
        let settings = try RunHistory.settings(["0.1"])
        #expect(try settings == RunHistory.settings(["0.1"], rules: RuleBook.documentation))
        #expect(try settings != RunHistory.settings(["0.2"]))
        #expect(try settings != RunHistory.settings(["0.1"], rules: RuleBook.documentation.dropLast()))
    }
}
