/// The Unicode scalars that are invisible, or that change how other text is displayed.
///
/// They move a terminal's cursor, change the direction of the following text, or make two different texts look the
/// same. Where people read an untrusted text (terminals and pages), each of them is written out in the form of
/// ``written(_:)``; where programs read it (CSV, JSON), it stays unchanged. The names of files are those of the Unicode
/// Character Database, version 17.0.
public enum HiddenScalar {
    public static func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Visible ASCII and the blank, nearly all characters in practice.
        case 0x20...0x7e: false
        // Controls: C0, DEL and C1 (general category Cc in UnicodeData.txt).
        case 0...0x1f, 0x7f...0x9f: true
        // The line and the paragraph separator (Zl and Zp).
        case 0x2028, 0x2029: true
        // Default_Ignorable_Code_Point (DerivedCoreProperties.txt): soft hyphen, combining grapheme joiner, Hangul
        // fillers, Khmer and Mongolian marks without a shape, zero-width spaces and joiners, the marks, embeddings,
        // overrides and isolates of the bidirectional algorithm (UAX #9), invisible operators, variation selectors,
        // shorthand and musical formatting, tags, and code points reserved for more of them.
        case 0xad, 0x34f, 0x61c, 0x115f...0x1160, 0x17b4...0x17b5, 0x180b...0x180f, 0x200b...0x200f, 0x202a...0x202e,
            0x2060...0x206f, 0x3164, 0xfe00...0xfe0f, 0xfeff, 0xffa0, 0xfff0...0xfff8, 0x1_bca0...0x1_bca3,
            0x1_d173...0x1_d17a, 0xe_0000...0xe_0fff:
            true
        // Interlinear annotation (Cf in UnicodeData.txt).
        case 0xfff9...0xfffb: true
        // Symbols and letters that are blank in every font: braille pattern blank, Khitan small script filler and
        // musical symbol null notehead.
        case 0x2800, 0x1_6fe4, 0x1_d159: true
        default: false
        }
    }

    /// White_Space (PropList.txt): scalars that look like spaces.
    public static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x21...0x7e: false
        case 0x9...0xd, 0x20, 0x85, 0xa0, 0x1680, 0x2000...0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000: true
        default: false
        }
    }

    /// `\u{200b}`: the scalar in the notation of Swift and Rust.
    public static func written(_ scalar: Unicode.Scalar) -> String {
        "\\u{" + String(scalar.value, radix: 16) + "}"
    }
}

/// Makes untrusted text safe to show to people, on terminals and in pages.
///
/// Control characters can move the cursor, change colours, retitle the window or erase what was printed; bidirectional
/// controls can make text read differently; zero-width characters can make two texts look the same. Each
/// ``HiddenScalar`` is written out instead, for example as `\u{1b}`. All other text is unchanged, including
/// backslashes.
public enum TerminalText {
    /// Returns the text on one line, with every hidden scalar written out.
    public static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: HiddenScalar.contains) else { return text }
        return written(text, HiddenScalar.written)
    }

    /// The maximum length of a word in a message, in characters. Longer ones are mostly names of files.
    private static let maxWord = 300

    /// Returns a message on one line, with every hidden scalar written out, and words that are too long without their
    /// middle.
    public static func message(_ text: String) -> String {
        let text = escaped(text)
        guard text.utf8.count > maxWord else { return text }
        return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            word.count > maxWord ? "\(word.prefix(maxWord / 2))…\(word.suffix(maxWord / 2))" : String(word)
        }.joined(separator: " ")
    }

    /// Returns JSON text with hidden scalars in JSON's own escapes, so that nothing is lost.
    ///
    /// - Parameter json: the output of an encoder, which has such scalars only inside strings. Line feeds between
    ///   values stay unchanged.
    public static func escaped(json: String) -> String {
        written(json) { scalar in
            if scalar == "\n" { return "\n" }
            // Scalars beyond U+FFFF need two escapes (RFC 8259, section 7).
            return scalar.utf16.map { "\\u" + Hex.digits($0, count: 4) }.joined()
        }
    }

    private static func written(_ text: String, _ escape: (Unicode.Scalar) -> String) -> String {
        // Appending a view of scalars would copy the whole text each time.
        var safe = ""
        for scalar in text.unicodeScalars {
            if HiddenScalar.contains(scalar) { safe += escape(scalar) } else { safe.unicodeScalars.append(scalar) }
        }
        return safe
    }
}
