/// Short options as in most programs: the value may follow directly, as in `-j2` and `-ofraud=f.csv`, and options
/// without a value may be combined, as in `-qj2`.
enum ShortOptions {
    private static let commands = ["run", "map", "ledger"]
    private static let flags: Set<Character> = ["q"]
    private static let options: Set<Character> = ["j", "o"]

    /// Splits combined options; everything else stays as written.
    static func separated(_ arguments: [String]) -> [String] {
        guard let command = arguments.first, commands.contains(command) else { return arguments }
        let read = arguments.prefix { $0 != "--" }
        return read.flatMap { words(of: $0) ?? [$0] } + arguments.dropFirst(read.count)
    }

    private static func words(of argument: String) -> [String]? {
        guard argument.count > 2, argument.hasPrefix("-"), !argument.hasPrefix("--") else { return nil }
        var words: [String] = []
        var rest = argument.dropFirst()
        while let letter = rest.popFirst() {
            words.append("-\(letter)")
            if options.contains(letter) {
                // `-j=2` is read as it is.
                guard rest.first != "=" else { return nil }
                return words + (rest.isEmpty ? [] : [String(rest)])
            }
            guard flags.contains(letter) else { return nil }
        }
        return words
    }
}
