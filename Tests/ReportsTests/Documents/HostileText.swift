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
