/// Strangers' text made safe to print on a terminal.
///
/// Control characters can move the cursor, change colours, retitle the window or erase what was printed;
/// bidirectional controls can make text read otherwise than it is. Each is written out visibly instead,
/// for example as `\u{1b}`. All other text is left as it is, a backslash too.
public enum TerminalText {
    /// The text on one line, every dangerous scalar written out.
    public static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isDangerous) else { return text }
        return written(text) { "\\u{" + String($0.value, radix: 16) + "}" }
    }

    /// JSON text in which the same scalars are written as JSON's own escapes, so that nothing is lost.
    ///
    /// - Parameter json: as an encoder wrote it: such scalars stand only inside strings. Line feeds, which
    ///   stand only between values, are kept.
    public static func escaped(json: String) -> String {
        written(json) { scalar in
            if scalar == "\n" { return "\n" }
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
        }
    }

    /// Whether a terminal would obey this scalar rather than show it. All of them have at most four hex digits.
    static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // C0; DEL and C1.
        case 0...0x1f, 0x7f...0x9f: true
        // The marks, embeddings, overrides and isolates of Unicode's bidirectional algorithm (UAX #9).
        case 0x61c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
        // The line and the paragraph separator.
        case 0x2028, 0x2029: true
        default: false
        }
    }

    private static func written(_ text: String, _ escape: (Unicode.Scalar) -> String) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isDangerous(scalar) {
                safe.append(contentsOf: escape(scalar).unicodeScalars)
            } else {
                safe.append(scalar)
            }
        }
        return String(safe)
    }
}
