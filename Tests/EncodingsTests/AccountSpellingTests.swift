import Encodings
import Testing

struct `The spelling of an account` {
    @Test(arguments: [
        ("in upper case", "ANN@EXAMPLE.COM"),
        ("with a zero-width space", "ann\u{200b}@example.com"),
        ("with a byte order mark", "\u{feff}ann@example.com"),
        ("with white space around it", " ann@example.com\t\u{a0}"),
        ("with a spreadsheet's apostrophe", "'ann@example.com"),
        ("with an apostrophe after a blank", " ' ann@example.com"),
        ("as a spreadsheet's formula", "=\"ann@example.com\""),
        ("as a formula with white space inside", "=\" ann@example.com \""),
    ])
    func `is the same`(form: String, account: String) {
        #expect(AccountSpelling(ExactText(account)) == AccountSpelling("ann@example.com"))
    }

    @Test(arguments: [
        ("composed and decomposed", "caf\u{e9}", "cafe\u{301}"),
        ("composed and decomposed in upper case", "CAF\u{c9}", "cafe\u{301}"),
        ("with marks in either order", "a\u{323}\u{307}", "a\u{307}\u{323}"),
        ("ß and SS", "stra\u{df}e", "STRASSE"),
        ("two forms of sigma", "\u{3c3}", "\u{3c2}"),
    ])
    func `is the same in letters beyond ASCII`(form: String, one: String, other: String) {
        #expect(AccountSpelling(ExactText(one)) == AccountSpelling(ExactText(other)))
    }

    @Test(arguments: [
        ("another letter", "anne"), ("white space inside", "an n"), ("punctuation", "a-nn"),
        ("an apostrophe at the end", "ann'"), ("a formula without an end", "=\"ann"), ("an accent", "\u{e1}nn"),
        ("a letter that looks alike", "\u{430}nn"), ("a full-width letter", "\u{ff41}nn"), ("a digit", "ann1"),
    ])
    func `is another`(with: String, account: String) {
        #expect(AccountSpelling(ExactText(account)) != AccountSpelling("ann"))
    }

    @Test func `is that of its own folded text`() {
        for account: ExactText in ["Ann", "  '\u{e9}t\u{e9} ", "=\"X\"", "'", "=\"\"", "\u{200b}", ""] {
            let folded = AccountSpelling(account).folded
            #expect(AccountSpelling(folded).folded == folded)
        }
    }
}
