/// Any number of texts that try to be something else than text, always the same for the same seed.
struct HostileStrings: Sequence, IteratorProtocol {
    private var state: UInt64
    private var left: Int

    init(_ count: Int, seed: UInt64) {
        left = count
        state = seed
    }

    mutating func next() -> String? {
        guard left > 0 else { return nil }
        left -= 1
        if left % 20_000 == 7 { return String(repeating: pick(Self.pieces), count: 40_000) }
        return switch below(8) {
        case 0: formula()
        case 1: number()
        case 2: pick(Self.dates)
        case 3: pick(Self.blanks) + pick(Self.blanks) + formula()
        case 4: "_x00" + pick(["0D", "3d", "zz"]) + "_" + pieces(below(4))
        default: pieces(1 + below(12))
        }
    }

    private mutating func formula() -> String {
        pick(["=", "+", "-", "@", "\u{ff1d}", "\u{ff0b}", "\u{ff0d}", "\u{ff20}"])
            + pick([
                "1+1", "cmd|' /C calc'!A0", "HYPERLINK(\"http://x\",\"y\")", "SUM(A1:A9)", "WEBSERVICE(A1)", "5", "",
            ]) + pieces(below(3))
    }

    /// 15 to 20 digits, which as a number would not be the same.
    private mutating func number() -> String {
        (0..<(15 + below(6))).reduce(into: "") { text, _ in text += pick(Self.digits) }
    }

    private mutating func pieces(_ count: Int) -> String {
        (0..<count).reduce(into: "") { text, _ in text += pick(Self.pieces) }
    }

    private mutating func pick(_ list: [String]) -> String { list[below(list.count)] }

    private mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }

    private static let digits = (0...9).map { String($0) }
    private static let blanks = [
        " ", "\t", "\r", "\n", "\0", "  ", "\r\n", "", "\u{a0}", "\u{200b}", "\u{3000}", "\u{feff}", "\u{1b}",
        "\u{2800}", "é",
    ]
    private static let dates = [
        "2026-06-30", "1/2/03", "30.06.2026", "2026-06-30T00:00:00Z", "1E5", "1e400", "0x1F", "007", "-0", "1.5", "NaN",
        "TRUE", "MAR1", "true", "null", "1,5", "٣",
    ]
    private static let pieces =
        ("<>&\"'`|\\*_~#[]()!@$^{}:;/.,-+=%? \n\r\t\0\u{1b}\u{7f}\u{85}\u{202e}\u{2066}\u{2028}\u{feff}\u{200b}\u{200d}"
        + "\u{ad}\u{e0041}\u{fe0f}\u{ff1d}\u{fffe}a9é漢🧾")
        .unicodeScalars.map { String($0) }
        + [
            "<script>", "</td>", "<!--", "-->", "]]>", "&lt;", "&#60;", "http://", "www.", "{{x}}", "\u{301}", "\"\"",
            "\r\n", "\\u0000", "\\\"", "</code>", "javascript:", "<t>", "\u{0}",
        ]
}

/// Texts that try to be markup, or to get out of where they stand.
enum HostileText {
    static let known = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)", "]]><!--", "-->",
        "</style></title></textarea></svg></code></pre>", "{{{style}}} {{> page}} {{#rows}}", "&lt;b&gt; &amp; &#96;",
        "| a | b |", "a\nb\r\n\n# heading\n\n- item", "`code` `` ```", "*b* _i_ ~~s~~ [l](http://x) ![i](y)", "`", "|",
        "\\", "\\| \\` \\\\|", "http://example.com", "HTTPS://example.com", "www.example.com", "WWW.example.com",
        "a@example.com", "@user", "#123", "user/repo#1", "GH-1", "$x$", "a:ab:b", "    indented", "---", "1. item",
        "\u{202e}abc\u{2066}", "\u{0}\u{1b}[31m\u{7f}\u{85}", "\u{2028}\u{2029}", "=1+1", "<code>", "</code>",
        "<!-- -->",
        " ", "\t", "a\u{301}", "\u{1f468}\u{200d}\u{1f469}", "<\u{301}script>", "\"\u{301}",
        String(repeating: "<", count: 999),
    ]

    /// Any number of others, always the same.
    static func random(_ count: Int) -> [String] {
        let pieces =
            Array("<>&\"'`|\\*_~#[]()!@$^{}:/.-+=\n\r\t\u{0}\u{202e}\u{301} aw").map { String($0) }
            + ["http://", "www.", "<!--", "-->", "<b>", "</code>", "\\|", "``", "&#124;", "{{", "}}", "\u{301}", "é"]
        var state: UInt64 = 42
        return (0..<count).map { _ in
            (0...12).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return pieces[Int((state >> 33) % UInt64(pieces.count))]
            }.joined()
        }
    }
}
