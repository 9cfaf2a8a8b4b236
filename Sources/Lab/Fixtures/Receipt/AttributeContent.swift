import DER
public import Encodings

/// One attribute of a receipt or of a purchase: a type, a version, and bytes that usually hold DER.
public struct AttributeContent: Sendable, Equatable {
    public var type: Int
    public var version: Int
    /// The octets inside the OCTET STRING.
    public var value: [UInt8]

    public init(_ type: Int, version: Int = 1, value: [UInt8]) {
        self.type = type
        self.version = version
        self.value = value
    }

    /// An attribute whose value is an INTEGER.
    public init(_ type: Int, integer: Int) { self.init(type, value: DERWriter.integer(integer)) }

    /// An attribute whose value is a UTF8String.
    public init(_ type: Int, text: String) { self.init(type, value: DERWriter.utf8String(text)) }

    /// An attribute whose value is an IA5String.
    public init(_ type: Int, ascii: String) { self.init(type, value: DERWriter.ia5String(ascii)) }

    /// An attribute whose value is a date; no date is an empty IA5String, as Apple writes it.
    public init(_ type: Int, date: Instant?) { self.init(type, ascii: date?.description ?? "") }

    /// The SEQUENCE in DER.
    public var der: [UInt8] {
        DERWriter.element(
            .sequence, DERWriter.integer(type), DERWriter.integer(version), DERWriter.element(.octetString, value))
    }
}

/// One change of the attributes of a receipt or of a purchase.
///
/// Changes are applied in order, after everything else: the device hash, for example, is already computed.
public enum AttributeEdit: Sendable, Equatable {
    /// Removes every attribute of this type.
    case leaveOut(Int)
    /// Replaces the octets inside the OCTET STRING of every attribute of this type.
    case replace(Int, with: [UInt8])
    /// Replaces the version of every attribute of this type.
    case version(Int, Int)
    /// Adds an attribute.
    case add(AttributeContent)

    fileprivate func apply(to attributes: inout [AttributeContent]) {
        switch self {
        case .leaveOut(let type): attributes.removeAll { $0.type == type }
        case .replace(let type, let value):
            for index in attributes.indices where attributes[index].type == type { attributes[index].value = value }
        case .version(let type, let version):
            for index in attributes.indices where attributes[index].type == type {
                attributes[index].version = version
            }
        case .add(let attribute): attributes.append(attribute)
        }
    }
}

extension [AttributeContent] {
    /// The attributes as a SET, sorted by their encodings as in DER (X.690, section 11.6).
    public var der: [UInt8] {
        DERWriter.element(DERTag.set.rawValue, map { $0.der }.sorted { $0.span.precedes($1.span) })
    }

    /// Returns these attributes after some edits.
    func edited(_ edits: [AttributeEdit]) -> [AttributeContent] {
        var attributes = self
        for edit in edits { edit.apply(to: &attributes) }
        return attributes
    }
}

/// A value whose copies can be changed in one expression: `.leaf.with { $0.notAfter = .utc(2018) }`.
public protocol Changeable {}

extension Changeable {
    /// Returns a copy with changes.
    public func with(_ change: (inout Self) throws -> Void) rethrows -> Self {
        var copy = self
        try change(&copy)
        return copy
    }
}
