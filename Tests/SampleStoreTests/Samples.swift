import DER
import Encodings
import SampleStore

/// Receipts that several tests start from.
enum Samples {
    static let phone = SampleDevice.vendorIdentifier(Array(0x10...0x1f))
    static let mac = SampleDevice.networkAddress([0xa4, 0x83, 0xe7, 0x01, 0x02, 0x03])
    static let created = Instant.utc(2024, 3, 1)

    static var purchase: PurchaseContent {
        PurchaseContent(
            .nonConsumable, productID: "com.example.notes.pro", transactionID: "460000000000001",
            purchasedAt: .utc(2024, 2, 1))
    }

    static var receipt: ReceiptContent {
        ReceiptContent(bundleID: "com.example.notes", device: phone, createdAt: created).with {
            $0.purchases = [purchase]
        }
    }
}

/// The attributes of a SET, read back by the strict reader.
struct DecodedAttributes {
    let all: [AttributeContent]

    init(_ der: [UInt8]) throws {
        all = try DERReader.read(der.span) { outer throws(DERError) in
            try outer.inside(.set) { set throws(DERError) in
                var all: [AttributeContent] = []
                while !set.isAtEnd { all.append(try set.inside(.sequence, Self.attribute)) }
                return all
            }
        }
    }

    private static func attribute(_ fields: inout DERReader) throws(DERError) -> AttributeContent {
        let (type, version) = (try fields.integer(), try fields.integer())
        return AttributeContent(type, version: version, value: try fields.contents(of: .octetString).copy())
    }

    /// The bytes of one attribute; `nil` if it is not there.
    func value(_ type: Int) -> [UInt8]? { all.first { $0.type == type }?.value }

    /// The text of one attribute, after the header of its UTF8String or IA5String.
    func text(_ type: Int) throws -> String? {
        guard let value = value(type) else { return nil }
        let text = try DERReader.read(value.span) { reader throws(DERError) in
            try reader.contents(of: reader.isNext(.ia5String) ? .ia5String : .utf8String).copy()
        }
        return String(decoding: text, as: UTF8.self)
    }

    var purchases: [DecodedAttributes] {
        get throws { try all.filter { $0.type == 17 }.map { try DecodedAttributes($0.value) } }
    }
}
