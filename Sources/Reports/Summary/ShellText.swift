import Encodings

/// Words of a command line, so that a shell reads them as they are.
enum ShellText {
    static func word(_ text: String) -> String {
        if !text.isEmpty, text.unicodeScalars.allSatisfy(isPlain) { return text }
        if TerminalText.escaped(text) == text { return "'" + text.unicodeScalars.map(quoted).joined() + "'" }
        return "$'" + text.unicodeScalars.map(escaped).joined() + "'"
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", "/", ":", ",", "+", "%", "@": true
        default: false
        }
    }

    /// By scalars: to a shell, an apostrophe with an accent is an apostrophe.
    private static func quoted(_ scalar: Unicode.Scalar) -> String { scalar == "'" ? "'\\''" : String(scalar) }

    /// As it stands in `$'…'`, where what cannot be seen is written with its number.
    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        if scalar == "'" || scalar == "\\" { return "\\" + String(scalar) }
        guard TerminalText.escaped(String(scalar)) != String(scalar) else { return String(scalar) }
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
}
