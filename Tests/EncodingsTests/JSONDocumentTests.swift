import Encodings
import Testing

/// An object is asked for members by their names, in whatever way they are found.
struct `The members of an object in JSON` {
    private func document(_ text: String) throws -> JSONDocument { try JSONDocument(Array(text.utf8), maxDepth: 8) }

    private func number(_ document: JSONDocument, _ name: ExactText, of object: Int = JSONDocument.root) -> String? {
        document.member(name, of: object).map { document.text($0).text }
    }

    @Test(arguments: [1, 2, 47, 48, 49, 50, 100, 1000])
    func `are found among few and among many, and no other is`(count: Int) throws {
        // In an order that is not that of the names.
        let order = (0..<count).map { $0 * 7919 % count }.reversed()
        try #require(Set(order).count == count)
        let document = try document("{" + order.map { "\"n\($0)\":\($0)" }.joined(separator: ",") + "}")
        #expect(document.repeatedName == nil)
        for index in 0..<count { #expect(number(document, ExactText("n\(index)")) == "\(index)") }
        for name in ["", "n", "n\(count)", "n-1", "m0", "o", "N0"] { #expect(number(document, ExactText(name)) == nil) }
    }

    @Test(arguments: [0, 100]) func `are found by what an escape stands for`(others: Int) throws {
        let members = (0..<others).map { "\"\($0)\":0," }.joined()
        let document = try document("{" + members + #""a\u0062":1,"é":2,"\u00e9x":3}"#)
        #expect(number(document, "ab") == "1")
        #expect(number(document, "é") == "2")
        #expect(number(document, "éx") == "3")
        #expect(number(document, "b") == nil)
    }

    @Test(arguments: [0, 100]) func `are the last ones where a name stands twice, which is told`(others: Int) throws {
        let members = (0..<others).map { "\"\($0)\":0," }.joined()
        let document = try document("{\"x\":1,\"y\":2," + members + "\"x\":3}")
        #expect(document.repeatedName == "x")
        #expect(number(document, "x") == "3")
        #expect(number(document, "y") == "2")
    }

    @Test func `are those of the object that is asked, whichever has many`() throws {
        let many = (0..<100).map { "\"\($0)\":\($0)," }.joined()
        let inner = try document("{\"x\":1,\"in\":{" + many + "\"y\":2},\"z\":3}")
        let object = try #require(inner.member("in", of: JSONDocument.root))
        #expect(number(inner, "y", of: object) == "2")
        #expect(number(inner, "42", of: object) == "42")
        #expect(number(inner, "x", of: object) == nil)
        #expect(number(inner, "42") == nil)
        #expect(number(inner, "z") == "3")
        let outer = try document("{" + many + "\"in\":{\"x\":1}}")
        #expect(number(outer, "x", of: try #require(outer.member("in", of: JSONDocument.root))) == "1")
        #expect(number(outer, "x") == nil)
        #expect(number(outer, "99") == "99")
    }
}
