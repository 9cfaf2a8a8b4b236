import Encodings
import Testing

@Suite("A value as canonical JSON")
struct CanonicalJSONTests {
    private struct Sum: Codable, Equatable {
        var name: String
        var count: Int
        var last: Instant?
    }

    @Test func `has its members sorted by name, and no blanks`() throws {
        let sum = Sum(name: "a/b", count: 2, last: Instant(milliseconds: 3000))
        #expect(try CanonicalJSON.text(of: sum) == #"{"count":2,"last":3000,"name":"a/b"}"#)
    }

    @Test func `is the value again when it is read`() throws {
        let sum = Sum(name: "é\u{301}\0", count: .min)
        let read: Sum = try CanonicalJSON.value(of: CanonicalJSON.text(of: sum))
        #expect(read == sum)
    }

    @Test(arguments: [
        #"{"count":2,"name":"a","other":1}"#, #"{"name":"a","count":2}"#, #"{"count": 2,"name":"a"}"#,
        #"{"count":2,"count":2,"name":"a"}"#, #"{"count":2.0,"name":"a"}"#, #"{"count":2,"name":"\u0061"}"#,
        #"{"count":2,"last":null,"name":"a"}"#, #"{"count":2,"name":"a"}x"#, #"{"count":2}"#, "", "[]",
    ])
    func `is refused in any other form`(text: ExactText) {
        #expect(throws: (any Error).self) { let _: Sum = try CanonicalJSON.value(of: text) }
    }
}
