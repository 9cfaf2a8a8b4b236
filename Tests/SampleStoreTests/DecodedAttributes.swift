import DER
import SampleStore

/// The attributes of a SET, read back by the strict reader.
struct DecodedAttributes {
    let all: [AttributeContent]

    init(_ der: [UInt8]) throws {
        var outer = DERReader(der.span)
        var set = DERReader(try outer.contents(of: .set))
        try outer.end()
        var all: [AttributeContent] = []
        while !set.isAtEnd {
            var fields = DERReader(try set.contents(of: .sequence))
            let type = try fields.integer()
            let version = try fields.integer()
            let value = try fields.contents(of: .octetString).copy()
            try fields.end()
            all.append(AttributeContent(type, version: version, value: value))
        }
        self.all = all
    }

    /// The octets of one attribute; `nil` if it is not there.
    func value(_ type: Int) -> [UInt8]? { all.first { $0.type == type }?.value }

    /// The text of one attribute, after the header of its UTF8String or IA5String.
    func text(_ type: Int) throws -> String? {
        guard let value = value(type) else { return nil }
        var reader = DERReader(value.span)
        let text = try reader.contents(of: reader.isNext(.ia5String) ? .ia5String : .utf8String).copy()
        try reader.end()
        return String(decoding: text, as: UTF8.self)
    }

    var purchases: [DecodedAttributes] {
        get throws { try all.filter { $0.type == 17 }.map { try DecodedAttributes($0.value) } }
    }
}
