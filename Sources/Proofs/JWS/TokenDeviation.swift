import Encodings

/// The reason why there is no payload to check: the bytes are not a token in the compact serialization (RFC 7515,
/// section 7.1), or it is not signed.
public enum TokenFault: Error, Equatable, Sendable {
    /// One of the three parts is not base64url.
    case encoding(TokenPart)
    /// The header is not a JSON object, with the reader's reason.
    case header(String)
    /// The algorithm is `none`, or the signature is empty.
    case notSigned
    /// The payload is empty.
    case noContent
}

/// A part of a token.
public enum TokenPart: String, CaseIterable, Sendable {
    case header
    case payload
    case signature
}

extension TokenFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .encoding(let part): "a token whose \(part.rawValue) is not base64url"
        case .header(let reason): "a token whose header is not a JSON object (\(reason))"
        case .notSigned: "an unsigned token"
        case .noContent: "a token with an empty payload"
        }
    }
}

/// The first deviation in a token from the one form that Apple writes.
///
/// A token that deviates is never valid, even if its signature is.
public enum TokenDeviation: Error, Equatable, Sendable {
    /// A part ends in `=`.
    case padding(TokenPart)
    /// A part's last character has unused bits that are set.
    case strayBits(TokenPart)
    /// The header has a duplicate member.
    case repeatedMember(String)
    /// The header has a member other than `alg` and `x5c`.
    case member(String)
    /// `alg` is not ES256.
    case algorithm
    /// `x5c` has a number of certificates other than three, or is not an array.
    case certificateCount(Int)
    /// An entry of `x5c`, counted from 0, is not standard base64 of one certificate in DER.
    case notACertificate(Int)
    /// `x5c` has the same certificate twice.
    case duplicateCertificate
    /// The signature does not have 64 bytes.
    case signatureLength(Int)
    /// r or s is not between 1 and n − 1 (RFC 7518, section 3.4).
    case signatureRange
}

extension TokenDeviation: CustomStringConvertible {
    public var description: String {
        switch self {
        case .padding(let part): "padding at the end of the \(part.rawValue)"
        case .strayBits(let part): "the last character of the \(part.rawValue) has bits that encode nothing"
        case .repeatedMember(let name): "the header's member \(name.quoted(upTo: 40)) twice"
        case .member(let name): "a member \(name.quoted(upTo: 40)) in the header"
        case .algorithm: "an algorithm other than ES256"
        case .certificateCount(let count): "\(count) certificates in x5c instead of three"
        case .notACertificate(let index): "entry \(index + 1) of x5c is not a certificate"
        case .duplicateCertificate: "the same certificate twice in x5c"
        case .signatureLength(let count): "a signature of \(count) bytes instead of 64"
        case .signatureRange: "a signature whose numbers are out of range"
        }
    }
}

/// The first deviation in a proof of any kind from the one form that Apple writes.
public enum ProofDeviation: Equatable, Sendable {
    case container(ContainerDeviation)
    case token(TokenDeviation)
}

extension ProofDeviation: CustomStringConvertible {
    public var description: String {
        switch self {
        case .container(let deviation): deviation.description
        case .token(let deviation): deviation.description
        }
    }
}
