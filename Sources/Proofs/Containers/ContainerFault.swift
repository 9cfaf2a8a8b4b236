import DER

/// Why there is no content to judge: the bytes are no container, or not one that holds a receipt.
public enum ContainerFault: Error, Equatable, Sendable {
    /// Not a PKCS #7 container (RFC 2315) at all.
    case notPKCS7
    /// PKCS #7, but its structure is broken or cut short; the reason is a decoder's.
    case malformed(String)
    /// PKCS #7 of another kind than signedData.
    case notSigned
    /// signedData without an embedded content of type `data`.
    case noContent

    /// Judges by the first bytes alone: the header of a ContentInfo, in any form that BER allows.
    ///
    /// - Returns: `nil` if they say signedData.
    init?(header bytes: Span<UInt8>) {
        guard let contentType = Self.contentType(of: bytes), contentType.count == ObjectIdentifier.signedData.count,
            contentType.extracting(first: ObjectIdentifier.pkcs7.count).equals(ObjectIdentifier.pkcs7)
        else {
            self = .notPKCS7
            return
        }
        switch contentType[contentType.count - 1] {
        case 2: return nil
        case 1, 3, 4, 5, 6: self = .notSigned
        default: self = .notPKCS7
        }
    }

    /// The octets of the contentType, if the bytes begin as a ContentInfo does.
    @_lifetime(copy bytes)
    private static func contentType(of bytes: Span<UInt8>) -> Span<UInt8>? {
        guard bytes.count > 2, bytes[0] == DERTag.sequence.rawValue else { return nil }
        let lengthOctets = bytes[1] > 0x80 ? Int(bytes[1] & 0x7f) : 0
        guard 2 + lengthOctets < bytes.count else { return nil }
        var rest = BERReader(bytes.extracting((2 + lengthOctets)...))
        do throws(DERError) {
            let header = try rest.header()
            guard header.tag == DERTag.objectIdentifier.rawValue, let count = header.count else { return nil }
            return rest.next(count)
        } catch {
            return nil
        }
    }
}

extension ContainerFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notPKCS7: "neither DER nor base64 of a PKCS #7 container"
        case .malformed(let reason): "a PKCS #7 container that is broken or cut short (\(reason))"
        case .notSigned: "a PKCS #7 container of another kind than signedData"
        case .noContent: "signedData without an embedded content of type data"
        }
    }
}
