import ArgumentParser
import Encodings
import Files
import YAML

/// Answers a command line that is wrong: the reason, what was probably meant, and how the command is used.
struct Usage {
    let arguments: [String]

    /// Other words for commands and options, as other programs call them.
    private static let commands = [
        "verify": "run", "validate": "run", "check": "run", "audit": "run", "decode": "inspect", "print": "inspect",
        "view": "inspect", "runs": "history", "log": "history", "generate": "sample", "version": "--version",
    ]
    private static let options = [
        "output": "report", "out": "report", "threads": "workers", "jobs": "workers", "concurrency": "workers",
        "date": "as-of", "now": "as-of", "ca": "root", "anchor": "root", "cert": "root", "config": "policy",
        "ledger": "state", "cache": "state", "db": "state", "silent": "quiet", "notifications": "evidence",
        "device-id": "device", "colour": "color",
    ]

    /// Writes the answer to standard error.
    func answer(_ error: any Error) {
        let lines = Audit.fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
        var message = Audit.message(for: error)
        var rest = lines.drop { !$0.hasPrefix("Usage:") && !$0.hasPrefix("Help:") }
        if let command = unknownCommand {
            message =
                "there is no command “\(TerminalText.escaped(command))”." + Self.hint(suggestedCommand(for: command))
        } else if message.hasPrefix("Unknown option"), let option = unknownOption {
            message = "there is no option --\(TerminalText.escaped(option))."
            message += Self.hint(suggestedOption(for: option).map { "--" + $0 })
        } else {
            message = TerminalText.escaped(message)
        }
        rest = rest.isEmpty ? rest : [""] + rest
        let text = rest.map { String($0) }.joined(separator: "\n")
        StandardError.write("audit: error: \(message)\(text.isEmpty ? "\n" : text)\n")
    }

    private static func hint(_ word: String?) -> String { word.map { " Did you mean \($0)?" } ?? "" }

    /// The first argument, if it is a word and no command.
    private var unknownCommand: String? {
        guard let first = arguments.first, !first.hasPrefix("-"), first != "help", Self.type(of: first) == nil else {
            return nil
        }
        return first
    }

    private func suggestedCommand(for word: String) -> String? {
        Self.commands[word.lowercased()] ?? Self.nearest(to: word, among: Self.types.compactMap { $0._commandName })
    }

    /// The options of the command that was given.
    private var known: [String] {
        let types = arguments.prefix { !$0.hasPrefix("-") }.compactMap { Self.type(of: $0) }
        let help = types.first.map { Audit.helpMessage(for: $0, columns: 1000) } ?? Audit.helpMessage(columns: 1000)
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
        let candidates = known + Self.options.filter { known.contains($0.value) }.keys
        return Self.nearest(to: word.lowercased(), among: candidates).map { Self.options[$0] ?? $0 }
    }

    private static var types: [any ParsableCommand.Type] { Audit.configuration.subcommands }

    private static func type(of name: String) -> (any ParsableCommand.Type)? {
        types.first { $0._commandName == name }
    }

    private static func nearest(to word: String, among words: [String]) -> String? {
        Nearest.word(to: ExactText(word), among: words.sorted().map { ExactText($0) })?.text
    }
}
