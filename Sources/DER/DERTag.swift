/// Names the identifier octets that App Store receipts use (X.690, section 8.1.2).
public enum DERTag: UInt8, Sendable {
    case boolean = 0x01
    case integer = 0x02
    case bitString = 0x03
    case octetString = 0x04
    case null = 0x05
    case objectIdentifier = 0x06
    case utf8String = 0x0c
    case ia5String = 0x16
    case utcTime = 0x17
    case generalizedTime = 0x18
    case sequence = 0x30
    case set = 0x31
    /// `[0]`, primitive: the subjectKeyIdentifier of a SignerInfo (RFC 5652, section 5.3).
    case keyIdentifier = 0x80
    /// `[0]`, constructed.
    case context0 = 0xa0
    /// `[1]`, constructed.
    case context1 = 0xa1
    /// `[3]`, constructed.
    case context3 = 0xa3

    /// An OCTET STRING in pieces, which only BER allows.
    static let constructedOctetString = DERTag.octetString.rawValue | 0x20
}

/// Names the identifier octets of primitive elements that a reader returns.
public enum PrimitiveTag: UInt8, CaseIterable, Sendable {
    case boolean = 0x01
    case integer = 0x02
    case bitString = 0x03
    case octetString = 0x04
    case null = 0x05
    case objectIdentifier = 0x06
    case utf8String = 0x0c
    case ia5String = 0x16
    case utcTime = 0x17
    case generalizedTime = 0x18
    case keyIdentifier = 0x80
}

/// Names the identifier octets of constructed elements. A reader reads every element in them.
public enum ConstructedTag: UInt8, CaseIterable, Sendable {
    case sequence = 0x30
    case set = 0x31
    case context0 = 0xa0
    case context1 = 0xa1
    case context3 = 0xa3
}
