import Testing

@testable import Reports

struct `Text in a workbook` {
    @Test(arguments: [
        "plain", "=1+1", "+49", "-1", "@SUM(A1)", "  =1+1", "1000000472106082", "ü — 漢 🧾", "two\nlines", "a\tb", "_x",
        "a_x00zz_b", "'quoted", "https://example.com/", "file:///etc/passwd",
    ])
    func `is written as it is`(text: String) {
        #expect(cell(text) == text)
    }

    @Test(arguments: [
        ("a\0b", "a␀b"), ("a\rb", "a␍b"), ("\u{1}\u{1f}", "␁␟"), ("a\u{fffe}b\u{ffff}", "a\u{fffd}b\u{fffd}"),
        ("a\u{7f}b", "a␡b"), ("a\u{202e}\u{200b}b", "a\\u{202e}\\u{200b}b"), ("\u{e0041}", "\\u{e0041}"),
        ("_x003D_1", "_x005F_x003D_1"), ("_x000d__x000D_", "_x005F_x000d__x005F_x000D_"),
    ])
    func `shows what a cell cannot hold, or nobody could see in it`(text: String, expected: String) {
        #expect(cell(text) == expected)
    }

    @Test(arguments: ["a", "ü", "漢", "🧾", "\0", "_x0041_", "a🧾", "\u{200b}", "\u{e0041}"])
    func `is cut where a cell ends, with a mark`(unit: String) {
        let longest = String(repeating: unit, count: 32_767 / cell(unit).utf16.count)
        #expect(cell(longest).utf16.count <= 32_767)
        #expect(!cell(longest).hasSuffix(WorkbookText.mark))

        let cut = cell(longest + unit)
        #expect((32_740...32_767).contains(cut.utf16.count))
        #expect(cut.hasSuffix(WorkbookText.mark))
        #expect(cut.dropLast(WorkbookText.mark.count).allSatisfy { cell(unit).contains($0) })
        #expect(cell(longest + longest) == cut)
    }

    private func cell(_ text: String) -> String {
        var bytes: [UInt8] = []
        WorkbookText.append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
