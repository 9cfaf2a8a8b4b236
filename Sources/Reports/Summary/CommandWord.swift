import Encodings

/// Quotes the words of a command line for a shell.
enum CommandWord {
    static func quoted(_ text: String) -> String {
        if !text.isEmpty, text.unicodeScalars.allSatisfy(isPlain) { return text }
        let isVisible = !text.unicodeScalars.contains(where: HiddenScalar.contains)
        if isVisible { return "'" + text.unicodeScalars.map(shown).joined() + "'" }
        return "$'" + text.unicodeScalars.map(escaped).joined() + "'"
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", "/", ":", ",", "+", "%", "@": true
        default: false
        }
    }

    /// Works by scalars: for a shell, an apostrophe with an accent is an apostrophe.
    private static func shown(_ scalar: Unicode.Scalar) -> String { scalar == "'" ? "'\\''" : String(scalar) }

    /// Escapes a scalar for `$'…'`, an invisible one as its number.
    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        if scalar == "'" || scalar == "\\" { return "\\" + String(scalar) }
        guard HiddenScalar.contains(scalar) else { return String(scalar) }
        let isLong = scalar.value > 0xffff
        return (isLong ? "\\U" : "\\u") + Hex.digits(scalar.value, count: isLong ? 8 : 4)
    }
}
