public import Encodings

/// A token inside the payload of another one, to be verified by itself.
public struct NestedToken: Equatable, Sendable {
    public let text: ExactText
    /// Whether it is the subject of a notification: the transaction or the renewal info in its `data`.
    public let isSubject: Bool

    /// The maximum number in one payload. The rest is left out.
    package static let maxCount = 64
    /// The maximum nesting of objects, arrays and tokens around a token.
    package static let maxDepth = 8
}

extension Span<UInt8> {
    /// Whether a text is a JWS: it has two dots, and its first part is a JSON object with the member `alg`, in base64url.
    var isSignedToken: Bool {
        // An object, or blanks before one.
        guard count > 2, [0x65, 0x49, 0x43, 0x44].contains(self[0]) else { return false }
        var (first, dots) = (0, 0)
        for index in indices where self[index] == UInt8(ascii: ".") {
            if dots == 0 { first = index }
            dots += 1
        }
        var header: [UInt8] = []
        guard dots == 2, Base64URL.decode(extracting(0..<first), into: &header) != nil,
            let document = try? JSONDocument(header, maxDepth: Token.maxDepth)
        else { return false }
        return document.member("alg", of: JSONDocument.root) != nil
    }
}
