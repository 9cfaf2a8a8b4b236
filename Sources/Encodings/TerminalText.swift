/// Untrusted text made safe to show to people: on terminals, and in pages.
///
/// Control characters can move the cursor, change colours, retitle the window or erase what was printed;
/// bidirectional controls can make text read otherwise than it is; what has no width makes two texts look the same.
/// Each ``HiddenScalar`` is written out instead, for example as `\u{1b}`. All other text is left as it is, a backslash
/// too.
public enum TerminalText {
    /// The text on one line, every hidden scalar written out.
    public static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: HiddenScalar.contains) else { return text }
        return written(text, HiddenScalar.written)
    }

    /// JSON text in which the same scalars are written as JSON's own escapes, so that nothing is lost.
    ///
    /// - Parameter json: as an encoder wrote it: such scalars stand only inside strings. Line feeds, which
    ///   stand only between values, are kept.
    public static func escaped(json: String) -> String {
        written(json) { scalar in
            if scalar == "\n" { return "\n" }
            // Scalars beyond U+FFFF are two (RFC 8259, section 7).
            return scalar.utf16.map { "\\u" + Hex.digits($0, count: 4) }.joined()
        }
    }

    private static func written(_ text: String, _ escape: (Unicode.Scalar) -> String) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if HiddenScalar.contains(scalar) {
                safe.append(contentsOf: escape(scalar).unicodeScalars)
            } else {
                safe.append(scalar)
            }
        }
        return String(safe)
    }
}
