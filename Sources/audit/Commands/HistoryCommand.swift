import ArgumentParser
import Files
import Ledgers
import Reports

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List the runs in a ledger, compare two of them, or accept a doubtful one.",
        usage: "audit history --state <file> [<run> ...] [<options>]",
        discussion: """
            A ledger is the file that runs write with --state. With one RUN, it is compared with the run before it; \
            with two, the second is compared with the first. New and resolved findings are listed with their evidence, \
            the worst first; persisting ones are counted by rule, and listed with --json. Evidence texts are those of \
            the last run that made the finding; audit forget deletes them. The last 100 runs that failed are listed \
            with their reasons. A run in progress is not in the list, and does not block the command. --reviews lists \
            the reviews, oldest first; --rules how often each rule was right, by the last review of each finding. \
            --accept lets a doubtful run count, as if nothing had been doubtful; audit forget --run drops it.

            EXAMPLES
              audit history --state state.db
              audit history --state state.db 12
              audit history --state state.db 5 12 --json | jq -r '.new[].subject'
              audit history --state state.db --reviews
              audit history --state state.db --rules
              audit history --state state.db --accept 12

            EXIT CODES
              0    done
              2    the ledger cannot be read, or does not have the run
              64   wrong usage
            """
    )

    @Option(help: ArgumentHelp("The ledger.", valueName: "file"), completion: .file())
    var state: String

    @Argument(help: ArgumentHelp("The number of a run, or of two.", valueName: "run"))
    var runs: [Int64] = []

    @Flag(help: "List the reviews of findings.")
    var reviews = false

    @Flag(help: "Count reviews by rule: how much was confirmed.")
    var rules = false

    @Option(help: ArgumentHelp("Let a doubtful run count in later ones.", valueName: "run"))
    var accept: Int64?

    @Flag(help: "Write JSON.")
    var json = false

    @OptionGroup var color: ColorOption

    func validate() throws {
        guard runs.count <= 2 else { throw ValidationError("Name one run or two.") }
        if reviews, !runs.isEmpty { throw ValidationError("--reviews lists the reviews of all runs: name no run.") }
        if accept != nil, !runs.isEmpty || reviews || rules || json {
            throw ValidationError("--accept changes the ledger: give it alone, with --state.")
        }
        if rules, !runs.isEmpty || reviews {
            throw ValidationError("--rules counts the reviews of all runs: name no run, and leave out --reviews.")
        }
    }

    func run() throws {
        let console = Console(color.color)
        try console.answer {
            guard let accept else { return try console.write(try text(console)) }
            try Ledger.accept(accept, in: state)
            console.say("run \(accept) counts from now on")
        }
    }

    private func text(_ console: Console) throws -> String {
        let history = try LedgerHistory(state)
        let text = HistoryText(isColored: console.isOutputColored, width: console.outputWidth)
        if reviews {
            let reviews = try history.reviews()
            return json ? try HistoryJSON.text(of: reviews) : lines(text.reviews(reviews))
        }
        if rules {
            let quality = try history.ruleQuality()
            return json ? try HistoryJSON.text(of: quality) : lines(text.rules(quality))
        }
        guard let (earlier, later) = try compared(history.runs) else {
            return json
                ? try HistoryJSON.text(of: history.runs, failures: history.failures)
                : lines(text.table(history.runs, failures: history.failures))
        }
        let changes = try history.changes(from: earlier?.id ?? 0, to: later.id)
        return json
            ? try HistoryJSON.text(of: changes, from: earlier, to: later)
            : lines(text.changes(changes, from: earlier, to: later))
    }

    /// Returns the two runs to compare; `nil` if none are named.
    private func compared(_ known: [LedgerRun]) throws -> (earlier: LedgerRun?, later: LedgerRun)? {
        let named = try runs.map { id in
            guard let run = known.first(where: { $0.id == id }) else {
                throw CommandError(
                    "\(state) has no run \(id): `audit history --state \(state)` lists those it has")
            }
            return run
        }
        guard let first = named.first, let last = named.last else { return nil }
        if named.count == 2 { return (first, last) }
        return (known.last { $0.id < last.id }, last)
    }

    private func lines(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }
}
