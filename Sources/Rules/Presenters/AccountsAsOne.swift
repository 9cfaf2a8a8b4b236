import Checks
import Encodings

/// What a rule finds in a group if its accounts are one, for a group with exactly two accounts that differ only in
/// form.
///
/// Users may choose their names, so `ann` and `Ann` are two accounts. But an export or a client that changes the form
/// of ids makes two of one, and nobody is accused of that. With three accounts or more, the form excuses nothing.
struct AccountsAsOne: Sendable {
    /// The text about spellings in the documentation of rules.
    static let text = """
        If there are exactly two accounts, and they differ only in form (case, Unicode normalization, invisible \
        characters, white space around them, a leading `'` or `="…"` of a spreadsheet), the severity is what it is for \
        one account, or low and doubtful where one account gives no finding
        """

    /// The three smallest accounts at most.
    private var accounts = FewAccounts()
    /// The rule, with the spelling of each claim's account in place of the account; fresh once the accounts are more
    /// than spellings of one name.
    private var rule: any GroupRule
    private let fresh: any GroupRule

    init(_ fresh: any GroupRule) {
        rule = fresh
        self.fresh = fresh
    }

    /// Adds an observation to the rule's state.
    mutating func add(_ observation: Observation, isSuccessor: Bool) {
        if !observation.isEvidence, !isSuccessor, !observation.accountID.isEmpty {
            accounts.add(observation.accountID)
        }
        guard accounts.mayBeOne else { return rule = fresh }
        var observation = observation
        observation.accountID = AccountSpelling(observation.accountID).folded
        if isSuccessor { rule.add(successor: observation) } else { rule.add(observation) }
    }

    /// Returns what the rule found in the group, or what it finds if the accounts are one and that is milder.
    ///
    /// - Parameter severity: returns the severity of a hit.
    func milder(_ hit: Hit, _ severity: (Hit) -> Severity) -> Hit {
        guard accounts.names.count == 2, accounts.mayBeOne else { return hit }
        var (rule, mild) = (rule, hit)
        let one = rule.hit()
        (mild.severity, mild.confidence) = one.map { ($0.severity, $0.confidence) } ?? (.low, .doubtful)
        mild.evidence += "; the accounts differ only in form"
        return severity(mild) < severity(hit) ? mild : hit
    }

    private struct FewAccounts: Sendable {
        /// In order.
        private(set) var names: [ExactText] = []
        /// Whether no two of them are more than spellings of one name.
        private(set) var mayBeOne = true

        mutating func add(_ name: ExactText) {
            guard !names.contains(name) else { return }
            names.insertSmallest(name, atMost: 3)
            mayBeOne = names.count < 3 && Set(names.map(AccountSpelling.init)).count < 2
        }
    }
}
