import Encodings

/// Signs that the text of a table or of JSON is not what was meant, each a sentence with the remedy.
public struct TableDoubts {
    /// The sentences.
    public private(set) var texts: [String] = []

    /// - Parameters:
    ///   - otherTexts: the number of rows of an INPUT with text that is not UTF-8.
    ///   - path: the table's path, for commands.
    ///   - others: sentences about its claims.
    public init(otherTexts: Int, _ others: [String] = [], path: String) {
        if otherTexts > 0 { texts.append(Self.encoding(otherTexts, path)) }
        texts += others.map { "\(Self.name(path)): \($0)" }
    }

    private static func encoding(_ count: Int, _ path: String) -> String {
        let file = ShellText.word(path)
        let command =
            path.hasExtension(".gz")
            ? "gunzip -c \(file) | iconv -f WINDOWS-1252 -t UTF-8 > \(ShellText.output(for: path))"
            : "iconv -f WINDOWS-1252 -t UTF-8 \(file) > \(ShellText.output(for: path))"
        return
            "\(name(path)): \(counted(count, "row")) cannot be read, not being UTF-8. If it is what Excel writes: \(command)"
    }

    private static func name(_ path: String) -> String { path == "-" ? "standard input" : path }
}
