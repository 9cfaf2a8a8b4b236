/// Parts of shell commands that a person copies from a message.
package enum ShellText {
    /// Returns a path as one word, in quotes unless all its characters are safe in a shell.
    static func word(_ path: String) -> String {
        argument(path.hasPrefix("-") && path != "-" ? "./" + path : path)
    }

    /// Returns any text as one word.
    package static func argument(_ text: String) -> String {
        guard !text.isEmpty, text.utf8.allSatisfy(isPlain) else {
            return "'" + text.replacing("'", with: "'\\''") + "'"
        }
        return text
    }

    /// Returns a path for an SQL literal, in a word in double quotes.
    static func quoted(_ path: String) -> String {
        var text = ""
        for character in path.replacing("'", with: "''") {
            if "\"$`\\".contains(character) { text.append("\\") }
            text.append(character)
        }
        return text
    }

    /// Returns the name of a file to write next to an input, with its ending if that is one of a table or JSON.
    static func output(for path: String) -> String {
        name(for: path, ["ndjson", "jsonl", "json", "tsv"].first { path.hasExtension(".\($0)") } ?? "csv")
    }

    /// Returns the command that writes the result of a jq program on a file, decompressed by gunzip if necessary.
    static func jq(_ program: String, _ path: String) -> String {
        let output = name(for: path, "ndjson")
        return path.hasExtension(".gz")
            ? "gunzip -c \(word(path)) | jq -c '\(program)' > \(output)"
            : "jq -c '\(program)' \(word(path)) > \(output)"
    }

    /// Returns the name of a file with an ending that is not the name of the input, in any case.
    static func name(for path: String, _ ending: String) -> String {
        path.split(separator: "/").last.map { $0.lowercased() } == "export.\(ending)"
            ? "converted.\(ending)" : "export.\(ending)"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x80...0xff: true
        default: Array("_-./,:@%+=".utf8).contains(byte)
        }
    }
}
