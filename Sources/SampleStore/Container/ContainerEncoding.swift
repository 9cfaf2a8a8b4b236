import DER

/// How the elements around the content are written.
public enum ContainerEncoding: Sendable, Equatable {
    /// Shortest definite lengths (X.690, section 10.1).
    case der
    /// Indefinite lengths, and the content in pieces of so many bytes: BER, as Xcode's local store writes it.
    case indefinite(pieces: Int)
    /// Definite lengths, but the content in pieces of so many bytes inside a constructed OCTET STRING.
    case constructed(pieces: Int)
    /// Definite lengths that take one octet more than they need.
    case longLengths

    /// One element around other elements.
    func element(_ tag: UInt8, _ contents: [[UInt8]]) -> [UInt8] {
        switch self {
        case .der, .constructed: return DERWriter.element(tag, contents)
        case .indefinite: return [tag, 0x80] + contents.joined() + [0, 0]
        case .longLengths:
            let body = Array(contents.joined())
            let octets = (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (24 - 8 * $0)) }
            return [tag, 0x84] + octets + body
        }
    }

    /// The OCTET STRING that holds the content.
    func octetString(_ content: [UInt8]) -> [UInt8] {
        switch self {
        case .der, .longLengths: DERWriter.element(.octetString, content)
        case .indefinite(let size), .constructed(let size): element(0x24, Self.pieces(of: content, size))
        }
    }

    private static func pieces(of content: [UInt8], _ size: Int) -> [[UInt8]] {
        stride(from: 0, to: content.count, by: max(size, 1)).map { start in
            DERWriter.element(.octetString, Array(content[start..<min(start + max(size, 1), content.count)]))
        }
    }
}
