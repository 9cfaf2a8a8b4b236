import ArgumentParser
import Encodings
import Files

/// Answers a wrong command line with the reason, a suggestion, and the usage of the command.
struct Usage {
    private let program: Program

    init(of program: Program) { self.program = program }

    private var root: any ParsableCommand.Type { program.root }
    private var arguments: [String] { program.arguments }
    private var name: String { root._commandName }

    /// Writes the answer to standard error.
    func answer(_ error: any Error) {
        if let unknown = unknownCommand { return answer(unknown) }
        let lines = root.fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
        let rest = lines.drop { !$0.hasPrefix("Usage:") && !$0.hasPrefix("Help:") }.map { String($0) }
        var message = root.message(for: error)
        if message.hasPrefix("Unknown option"), let option = unknownOption {
            message = "there is no option --\(TerminalText.escaped(option))."
            message += Self.hint(suggestedOption(for: option).map { "--" + $0 })
        } else {
            // If an argument is ambiguous, both readings are in it, on separate lines.
            let readings = message.split(separator: "\n").map { $0.drop { $0 == " " } }
            message = TerminalText.escaped(readings.joined(separator: "; "))
        }
        write(message, rest)
    }

    private func answer(_ unknown: (words: [String], suggestion: String?)) {
        let place = ([name] + unknown.words.dropLast()).joined(separator: " ")
        let words = TerminalText.escaped(unknown.words.joined(separator: " "))
        write(
            "there is no command “\(words)”." + Self.hint(unknown.suggestion),
            ["Usage: \(place) <subcommand>", "  See '\(place) --help' for more information."])
    }

    private func write(_ message: String, _ usage: [String]) {
        StandardError.write((["\(name): error: " + message] + usage).map { $0 + "\n" }.joined())
    }

    private static func hint(_ word: String?) -> String { word.map { " Did you mean \($0)?" } ?? "" }

    /// Whether help is requested for an unknown command, which is not a success.
    var asksHelpOfUnknown: Bool {
        let asked = arguments.prefix { $0 != "--" }
        guard arguments.first == "help" || asked.contains(where: { ["--help", "-h", "--help-hidden"].contains($0) })
        else { return false }
        return unknownCommand != nil
    }

    /// The words up to the first that is not a command where one is required, with a suggestion.
    private var unknownCommand: (words: [String], suggestion: String?)? {
        var (types, words) = (subcommands, [String]())
        for word in arguments.drop(while: { $0 == "help" }).prefix(while: { !$0.hasPrefix("-") }) where !types.isEmpty {
            if let type = types.first(where: { $0._commandName == word }) {
                types = type.configuration.subcommands
                words.append(word)
                continue
            }
            var near = Self.nearest(to: word, among: types.compactMap { $0._commandName })
            if words.isEmpty { near = program.commandSynonyms[word.lowercased()] ?? near }
            return (words + [word], near.map { (words + [$0]).joined(separator: " ") })
        }
        return nil
    }

    /// The options of the given command.
    private var known: [String] {
        let types = arguments.prefix { !$0.hasPrefix("-") }.compactMap { type(named: $0) }
        let help = types.first.map { root.helpMessage(for: $0, columns: 1000) } ?? root.helpMessage(columns: 1000)
        return help.split { !$0.isLetter && $0 != "-" }.filter { $0.hasPrefix("--") && $0.count > 3 }
            .map { String($0.dropFirst(2)) }
    }

    /// The first option that the command does not have.
    private var unknownOption: String? {
        let known = Set(known)
        return arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
            .map { String($0.dropFirst(2).prefix { $0 != "=" }) }.first { !known.contains($0) }
    }

    private func suggestedOption(for word: String) -> String? {
        let known = known
        let candidates = known + program.optionSynonyms.filter { known.contains($0.value) }.keys
        return Self.nearest(to: word.lowercased(), among: candidates).map { program.optionSynonyms[$0] ?? $0 }
    }

    private var subcommands: [any ParsableCommand.Type] { root.configuration.subcommands }

    private func type(named name: String) -> (any ParsableCommand.Type)? {
        subcommands.first { $0._commandName == name }
    }

    private static func nearest(to word: String, among words: [String]) -> String? {
        Nearest.word(to: ExactText(word), among: words.sorted().map { ExactText($0) })?.text
    }
}
