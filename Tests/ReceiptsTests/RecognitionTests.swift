import DER
import Encodings
import SampleStore
import Testing

@testable import Receipts

/// A forger chooses the form, so that whatever any reader could take for a receipt is one to be judged.
struct `Content that could be a receipt` {
    private static let receipt = ReceiptContent(
        bundleID: "com.example.notes", device: .vendorIdentifier(Array(0x10...0x1f)), createdAt: .utc(2024, 3, 1))

    private static func edited(_ change: (inout DERTree) -> Void) throws -> [UInt8] {
        var tree = try DERTree(parsing: receipt.der)
        change(&tree)
        return tree.encoded
    }

    @Test func `has a bundle id that is a string in DER, in whatever form it stands`() throws {
        let der = Self.receipt.der
        let forms: [(String, [UInt8])] = try [
            ("itself", der), ("octets behind", der + [0, 0]), ("an OCTET STRING", DERWriter.element(.octetString, der)),
            ("a SEQUENCE", Self.edited { $0.identifier = [0x30] }),
            ("an indefinite length", Self.edited { $0.length = .indefinite }),
            ("cut short", Array(der.dropLast(3))),
            ("an element too many", Self.edited { $0.children.insert(DERTree(.null, [UInt8]()), at: 0) }),
            ("an IA5String", Self.receipt.with { $0.edits = [.replace(2, with: DERWriter.ia5String("a"))] }.der),
            ("a wrapper", DERWriter.element(.sequence, DERWriter.element(.set, der))),
        ]
        for (form, content) in forms {
            let isRecognizable = Receipt.isRecognizable(in: content.span)
            #expect(isRecognizable, "\(form)")
        }
    }

    @Test func `is no other content`() {
        let others: [(String, [UInt8])] = [
            ("nothing", []), ("text", Array("<?xml version=\"1.0\"?>".utf8)), ("an empty SET", [0x31, 0]),
            ("no bundle id", Self.receipt.with { $0.edits = [.leaveOut(2)] }.der),
            (
                "a bundle id in plain text",
                Self.receipt.with { $0.edits = [.replace(2, with: Array("2ABCDEFGHI.com.example".utf8))] }.der
            ),
            ("a number", Self.receipt.with { $0.edits = [.replace(2, with: DERWriter.integer(7))] }.der),
            (
                "a string longer than its attribute",
                Self.receipt.with { $0.edits = [.replace(2, with: [0x0c, 0x7f, 0x61])] }.der
            ),
            ("a purchase's attributes", DERWriter.element(.octetString, [0x02, 0x01, 0x02])),
        ]
        for (what, content) in others {
            let isRecognizable = Receipt.isRecognizable(in: content.span)
            #expect(!isRecognizable, "\(what)")
        }
    }

    @Test func `is searched in any bytes without an end`() {
        let der = Self.receipt.der
        for count in 0...der.count { _ = Receipt.isRecognizable(in: der.span.extracting(first: count)) }
        for index in der.indices {
            for value in [0x00, 0x30, 0x80, 0xff] as [UInt8] {
                var altered = der
                altered[index] = value
                _ = Receipt.isRecognizable(in: altered.span)
            }
        }
    }
}
