import Encodings
import FoundationEssentials
import Testing

@testable import Inputs

struct `A receipt as it was sent in` {
    static let der: [UInt8] = [0x30, 0x82] + (0..<200).map { UInt8($0) }
    static let base64 = Data(der).base64EncodedString()
    static let lines = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithCarriageReturn])

    private func judged(_ bytes: [UInt8]) -> [UInt8] {
        var scratch: [UInt8] = [1, 2, 3]
        return ReceiptForm.decode(bytes.span, into: &scratch) ? scratch : bytes
    }

    @Test(arguments: [
        base64, lines, "\u{feff}" + base64, "\r\n " + base64 + "\n", String(base64.prefix { $0 != "=" }),
        "-----BEGIN PKCS7-----\n\(lines)\n-----END PKCS7-----\n", "-----BEGIN PKCS7-----\(base64)-----END PKCS7-----",
        "\u{feff}\n-----BEGIN X Y-----\r\n\(lines)\r\n-----END X Y-----",
        "data:application/pkcs7-mime;base64,\(base64)", " data:;base64,\(lines)",
    ])
    func `is decoded from base64`(_ text: String) {
        #expect(judged(Array(text.utf8)) == Self.der)
    }

    @Test(arguments: ["\\x", "0x", "0X", " \\x", "\\\\x"], [false, true])
    func `is decoded from the hexadecimal that databases write, also where that is of base64`(
        mark: String, isText: Bool
    ) {
        let octets = isText ? Array(Self.base64.utf8) : Self.der
        let digits = octets.map { String(UInt16(256) + UInt16($0), radix: 16).dropFirst() }.joined()
        #expect(judged(Array((mark + digits).utf8)) == Self.der)
        #expect(judged(Array((mark + digits.uppercased() + "\n").utf8)) == Self.der)
    }

    @Test func `is decoded from hexadecimal without a mark, and from what programs print of bytes`() {
        let digits = Hex.string(Self.der.span)
        #expect(judged(Array(digits.utf8)) == Self.der && judged(Array(digits.uppercased().utf8)) == Self.der)
        for text in ["X'\(digits)'", "b'\(Self.base64)'", "b\"\(Self.base64)\"", "B'\(digits)'"] {
            #expect(judged(Array(text.utf8)) == Self.der, "\(text)")
        }
        let escaped = Self.der.map { byte in
            switch byte {
            case 0x0a: "\\n"
            case 0x27: "\\'"
            case 0x5c: "\\\\"
            case 0x20..<0x7f: String(UnicodeScalar(byte))
            default: "\\x" + Hex.string([byte].span)
            }
        }
        #expect(judged(Array("b'\(escaped.joined())'".utf8)) == Self.der)
        #expect(judged(Array("b'eyJh.eyJi.c2ln'".utf8)) == Array("eyJh.eyJi.c2ln".utf8))
    }

    @Test func `is decompressed from gzip in base64`() {
        for expected in [Self.der, Array("eyJh.eyJi.c2ln".utf8)] {
            let compressed = gzip(expected)
            // A file that is compressed is no proof.
            #expect(judged(compressed) == compressed)
            #expect(judged(Array(Data(compressed).base64EncodedString().utf8)) == expected)
            let cut = compressed.dropLast(9)
            #expect(judged(Array(Data(cut).base64EncodedString().utf8)) == Array(cut))
        }
    }

    @Test func `is no bomb: what is longer than a limit is not decompressed`() {
        let compressed = gzip([UInt8](repeating: 0x30, count: 1000))
        #expect(GzipStream.bytes(of: compressed.span, limit: 999) == nil)
        #expect(GzipStream.bytes(of: compressed.span, limit: 1000)?.count == 1000)
    }

    @Test func `is no proof if it is a token in base64 or hexadecimal`() throws {
        let folder = try Scratch()
        for text in ["eyJh.eyJi.c2ln", "eyJh.eyJi.c2ln\n", "a.b.c", "eyJh.eyJi"] {
            let octets = Array(text.utf8)
            let digits = octets.map { String(UInt16(256) + UInt16($0), radix: 16).dropFirst() }.joined()
            for cell in [Data(octets).base64EncodedString(), "\\x" + digits, "0x" + digits] {
                let found = try claims(folder.write("a.csv", "receipt_data\n\(cell)\n"))
                #expect(found.map(\.bytes) == [octets] && found[0].claim.isReceiptBase64, "\(cell)")
            }
        }
    }

    @Test(arguments: ["0x", "\\x", "0x3", "0x30g0", "\\x30 82", "\\y3082"])
    func `is not decoded from other texts`(text: String) {
        #expect(judged(Array(text.utf8)) == Array(text.utf8))
    }

    @Test(arguments: [
        "hello, world", "-----BEGIN PKCS7-----\nMIIB", "-----MIIB", "MII!", "0", "\u{feff}\u{feff}MIIB",
        "-----BEGIN PKCS7-----\nMIIB\n-----END PKCS7-----\nMIIB", "-----BEGIN PKCS7-----\nMIIB\n-----END CMS-----",
        "-----BEGIN A-----MIIB-----END A----------BEGIN A-----MIIB-----END A-----", "-----BEGIN A-----END A-----",
        "a: b\n-----BEGIN PKCS7-----\nMIIB\n-----END PKCS7-----", "data:,MIIB", "data:text/plain,MIIB", "data:;base64",
        "data:;base64,data:;base64,MIIB",
    ])
    func `stays as it is otherwise`(_ text: String) {
        #expect(judged(Array(text.utf8)) == Array(text.utf8))
    }

    @Test func `stays as it is if it is DER`() {
        #expect(judged(Self.der) == Self.der)
    }

    @Test(arguments: ["", " ", "\r\n\t", "\u{feff}", "\u{feff} \n"])
    func `may be nothing`(_ text: String) {
        #expect(judged(Array(text.utf8)) == [])
    }

    @Test func `may be 8 MiB when decoded, and no byte more`() throws {
        let folder = try Scratch()
        for (count, isRead) in [(ReceiptLimit.bytes, true), (ReceiptLimit.bytes + 1, false)] {
            let text = Data(repeating: 0x31, count: count).base64EncodedString()
            let found = try claims(folder.write("t.csv", "receipt_data\n\(text)\n"))
            #expect(found.count == 1)
            #expect((found[0].bytes?.count == count) == isRead)
            #expect((found[0].fault == InputFault(.receiptUnreadable, "over 8 MiB")) == !isRead)
        }
    }

    @Test func `in a line that is too long is not kept`() throws {
        let folder = try Scratch()
        let giant = String(repeating: "A", count: 13 << 20)
        let table = try folder.write("t.jsonl", "{\"receipt_data\":\"\(giant)\"}\n{\"receipt_data\":\"TQ\"}")
        #expect(try claims(table).map(\.line) == ["t.jsonl:1 receiptUnreadable", "t.jsonl:2 M"])
    }
}
