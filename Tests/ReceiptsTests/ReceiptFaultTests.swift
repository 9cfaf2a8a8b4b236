import DER
import Encodings
import SampleStore
import Testing

@testable import Receipts

struct `A receipt's content` {
    static let sample = ReceiptContent(
        bundleID: "com.example.notes", device: .vendorIdentifier(Array(0x10...0x1f)), createdAt: .utc(2024, 3, 1)
    ).with {
        $0.purchases = [
            PurchaseContent(
                .nonConsumable, productID: "com.example.notes.pro", transactionID: "460000000000001",
                purchasedAt: .utc(2024, 2, 1))
        ]
    }

    @Test func `is read as it was written`() throws {
        let receipt = try Receipt(content: Self.sample.der)
        #expect(receipt.bundleID == "com.example.notes")
        #expect(receipt.createdAt == .utc(2024, 3, 1))
        #expect(receipt.environment == "Production")
        #expect(receipt.deviceHashInput.hash == Self.sample.hash)
        #expect(receipt.purchases.map(\.transactionID) == ["460000000000001"])
        #expect(receipt.purchaseError == nil)
    }

    @Test(arguments: [2, 3, 4, 5, 12])
    func `lacks nothing that every receipt has`(type: Int) {
        #expect(throws: ReceiptError.missing(attribute: type)) {
            try Receipt(content: Self.sample.with { $0.edits = [.leaveOut(type)] }.der)
        }
    }

    @Test(arguments: [2, 12])
    func `has no empty value where every receipt has one`(type: Int) {
        let empty = DERWriter.element(type == 2 ? .utf8String : .ia5String)
        #expect(throws: ReceiptError.missing(attribute: type)) {
            try Receipt(content: Self.sample.with { $0.edits = [.replace(type, with: empty)] }.der)
        }
    }

    @Test(arguments: [0, 2, 3, 4, 5, 12, 19, 21])
    func `has no second value of`(attribute type: Int) {
        let sample = Self.sample.with { $0.expiresAt = .utc(2030) }
        let value = sample.attributes.first { $0.type == type }?.value ?? []
        #expect(throws: ReceiptError.repeated(attribute: type)) {
            try Receipt(content: sample.with { $0.edits = [.add(AttributeContent(type, value: value))] }.der)
        }
    }

    @Test(arguments: [
        Fault("a bundle id that is not UTF-8", 2, DERWriter.element(.utf8String, [0xff]), .notText),
        Fault(
            "a bundle id of another kind", 2, [0x16, 0x01, 0x61], .encoding(.unexpectedTag(0x16, wanted: 0x0c, at: 0))),
        Fault("a bundle id with a tail", 2, [0x0c, 0x01, 0x61, 0x00], .encoding(.leftOver(at: 3))),
        Fault("a bundle id cut short", 2, [0x0c, 0x02, 0x61], .encoding(.truncated(at: 0))),
        Fault(
            "a version of another kind", 3, [0x02, 0x01, 0x03], .encoding(.unexpectedTag(0x02, wanted: 0x0c, at: 0))),
        Fault("a hash of 19 octets", 5, [UInt8](repeating: 1, count: 19), .notAHash),
        Fault("a hash of 21 octets", 5, [UInt8](repeating: 1, count: 21), .notAHash),
        Fault("no hash", 5, [], .notAHash),
        Fault("a creation date in words", 12, DERWriter.ia5String("yesterday"), .notADate),
        Fault(
            "a creation date in UTF-8", 12, DERWriter.utf8String("2024-03-01T00:00:00Z"),
            .encoding(.unexpectedTag(0x0c, wanted: 0x16, at: 0))),
        Fault("a creation date on no calendar", 12, DERWriter.ia5String("2023-02-29T00:00:00Z"), .notADate),
        Fault("an expiration date in words", 21, DERWriter.ia5String("never"), .notADate),
        Fault("an environment that is not UTF-8", 0, DERWriter.element(.utf8String, [0xc3]), .notText),
    ])
    func `is refused with`(_ fault: Fault) {
        let sample = Self.sample.with {
            $0.expiresAt = .utc(2030)
            $0.edits = [.replace(fault.type, with: fault.value)]
        }
        #expect(throws: ReceiptError.value(attribute: fault.type, fault.fault)) {
            try Receipt(content: sample.der)
        }
    }

    @Test func `keeps Apple's freedom: unknown attributes, any order, any version, raw values`() throws {
        let receipt = try Receipt(
            content: Self.sample.with {
                $0.edits = [
                    .add(AttributeContent(99, value: [0xff])), .add(AttributeContent(99, value: [])),
                    .add(AttributeContent(-5, version: 7, value: [])), .replace(4, with: [0x04, 0x80]),
                    .version(2, 3), .leaveOut(0), .leaveOut(19),
                ]
            }.der)
        #expect(receipt.environment == nil)
        #expect(receipt.originalAppVersion == nil)
        #expect(receipt.deviceHashInput.opaqueValue == [0x04, 0x80])
    }

    @Test(
        arguments: [
            ("no bytes", [], .truncated(at: 0)),
            ("a SEQUENCE", [0x30, 0x00], .unexpectedTag(0x30, wanted: 0x31, at: 0)),
            ("a SET with a tail", [0x31, 0x00, 0x00], .leftOver(at: 2)),
            ("a SET cut short", [0x31, 0x05, 0x30], .truncated(at: 0)),
            ("a SET of something else", [0x31, 0x02, 0x05, 0x00], .unexpectedTag(0x05, wanted: 0x30, at: 2)),
            ("an attribute without a version", [0x31, 0x05, 0x30, 0x03, 0x02, 0x01, 0x02], .truncated(at: 7)),
            (
                "an attribute with a fourth field", [0x31, 0x0c, 0x30, 0x0a, 2, 1, 2, 2, 1, 1, 4, 0, 5, 0],
                .leftOver(at: 12)
            ),
            ("a number too wide", [0x31, 0x0d, 0x30, 0x0b, 2, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0], .badInteger(at: 4)),
        ] as [(String, [UInt8], DERError)])
    func `is a SET of attributes, and not`(name: String, bytes: [UInt8], error: DERError) {
        #expect(throws: ReceiptError.encoding(error)) { try Receipt(content: bytes) }
    }
}

struct Fault: CustomTestStringConvertible {
    let testDescription: String
    let type: Int
    let value: [UInt8]
    let fault: AttributeFault

    init(_ description: String, _ type: Int, _ value: [UInt8], _ fault: AttributeFault) {
        testDescription = description
        self.type = type
        self.value = value
        self.fault = fault
    }
}
