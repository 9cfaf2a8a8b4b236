import Encodings
import Rules
import Testing

@testable import Engine

/// Codes a value into a record and reads it again, all of it.
func recoded<Value>(
    _ value: Value, placeholder: Value, write: (inout Value, inout RecordWriter) -> Void,
    read: (inout Value, inout RecordReader) throws -> Void
) throws -> Value {
    var (written, record) = (value, RecordWriter())
    write(&written, &record)
    let bytes = record.bytes
    for count in 0..<bytes.count {
        var (found, fields) = (placeholder, RecordReader(bytes.span.extracting(first: count)))
        #expect(throws: RecordError.self, "the first \(count) of \(bytes.count) bytes") {
            try read(&found, &fields)
            try fields.end()
        }
    }
    var (found, fields) = (placeholder, RecordReader(bytes.span))
    try read(&found, &fields)
    try fields.end()
    let longer = bytes + [0]
    var tail = RecordReader(longer.span)
    try read(&found, &tail)
    #expect(throws: RecordError.self) { try tail.end() }
    return found
}

/// Every field is read as it was written, and no prefix of a record is taken for a record.
struct `A field of a record` {
    @Test(arguments: [0, 1, 0x7f, 0x80, 1 << 35, UInt64(Int64.max), .max])
    func `may be a number`(number: UInt64) throws {
        #expect(try recoded(number, placeholder: 7, write: { $1.number(&$0) }, read: { try $1.number(&$0) }) == number)
        #expect(
            try recoded(number, placeholder: 7, write: { $1.sortable(&$0) }, read: { try $1.sortable(&$0) }) == number)
    }

    @Test(arguments: [0, 1, -1, 1 << 40, Int64.max, .min])
    func `may be a number with a sign`(number: Int64) throws {
        #expect(try recoded(number, placeholder: 7, write: { $1.signed(&$0) }, read: { try $1.signed(&$0) }) == number)
    }

    @Test(arguments: [
        0, 1, 999, 1000, -1, -999, -1000, 1_700_000_000_000, 1_700_000_000_123, 1 << 61, Int64.max, .min,
    ])
    func `may be an instant, also as told from another`(milliseconds: Int64) throws {
        let instant = Instant(milliseconds: milliseconds)
        for other in [0, 1_600_000_000_777, Int64.min].map({ Instant(milliseconds: $0) }) {
            let found = try recoded(
                instant, placeholder: other, write: { $1.instant(&$0, since: other) },
                read: { (value, fields) throws(RecordError) in try fields.instant(&value, since: other) })
            #expect(found == instant)
        }
    }

    @Test(arguments: ["", "a", "\u{0}", "\u{0}\u{ff}", "é", "e\u{301}", "\u{1f600}", "\t\n\r"])
    func `may be a text, octet by octet`(text: String) throws {
        let text = ExactText(text)
        #expect(try recoded(text, placeholder: "x", write: { $1.text(&$0) }, read: { try $1.text(&$0) }) == text)
        #expect(
            try recoded(text, placeholder: "x", write: { $1.sortable(&$0) }, read: { try $1.sortable(&$0) }) == text)
    }

    @Test(arguments: [
        "", "0", "1", "00", "01", "460000000000201", "999999999999999999", "1000000000000000000", "-1", "+1", "１", "1 ",
        "18446744073709551616",
    ])
    func `may be an id, which need not be a number`(id: String) throws {
        for other: ExactText in ["", "1", "460000000000201"] {
            let found = try recoded(
                ExactText(id), placeholder: "x",
                write: { value, record in
                    var bits = record.beginBits()
                    record.id(&value, unless: other, &bits)
                    record.end(bits)
                },
                read: { (value, fields) throws(RecordError) in
                    var bits = try fields.beginBits()
                    try fields.id(&value, unless: other, &bits)
                })
            #expect(found == ExactText(id))
        }
    }

    @Test func `sorts as its text does`() {
        let texts = ["", "\u{0}", "\u{0}a", "a", "a\u{0}", "a\u{0}\u{0}", "a\u{1}", "ab", "b", "é"].map {
            ExactText($0)
        }
        let records = texts.map { text in
            var (text, record) = (text, RecordWriter())
            record.sortable(&text)
            return record.bytes
        }
        #expect(records.sorted { $0.lexicographicallyPrecedes($1) } == records)
    }

    @Test(
        arguments: [
            [0x80, 0x00], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02],
            [UInt8](repeating: 0x80, count: 11),
        ] as [[UInt8]])
    func `is refused if a number is longer than it need be or can be`(bytes: [UInt8]) {
        var (fields, number) = (RecordReader(bytes.span), UInt64(0))
        #expect(throws: RecordError.self) { try fields.number(&number) }
    }

    @Test func `is refused if it says that there is more than there can be`() {
        let bytes: [UInt8] = [0xff, 0xff, 0xff, 0xff, 0x0f, 1, 2]
        var (fields, texts) = (RecordReader(bytes.span), [ExactText]())
        #expect(throws: RecordError.self) { try fields.texts(&texts) }
        var octets: [UInt8] = []
        var again = RecordReader(bytes.span)
        #expect(throws: RecordError.self) { try again.octets(&octets) }
    }

    @Test(arguments: [[1, 0xff], [3, 0x61, 0xc3, 0x28]] as [[UInt8]])
    func `is refused if a text is not UTF-8`(bytes: [UInt8]) {
        var (fields, text) = (RecordReader(bytes.span), "" as ExactText)
        #expect(throws: RecordError.self) { try fields.text(&text) }
    }

    @Test func `is refused if it is no rule or no severity of this version`() {
        for rule in [UInt64(RuleBook.ids.count), .max] {
            var (number, record) = (rule, RecordWriter())
            record.number(&number)
            let bytes = record.bytes
            var (fields, place) = (RecordReader(bytes.span), 0)
            #expect(throws: RecordError.self) { try fields.rule(&place) }
        }
        let bytes: [UInt8] = [5]
        var (fields, severity) = (RecordReader(bytes.span), Severity.info)
        #expect(throws: RecordError.self) { try fields.code(&severity) }
    }
}

struct `A group of fields that may be absent` {
    /// One more would stop the program: it would be lost.
    @Test func `holds sixteen`() {
        var record = RecordWriter()
        var (bits, value) = (record.beginBits(), true)
        for _ in 0..<16 { record.flag(&value, &bits) }
        record.end(bits)
        #expect(record.bytes == [0xff, 0xff])
    }
}
