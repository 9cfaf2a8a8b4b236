/// The reason why bytes are not the expected DER (X.690), with the position.
///
/// Positions count from the first byte of the span that is read.
public enum DERError: Error, Equatable, Sendable {
    /// The bytes end inside the element that starts here.
    case truncated(at: Int)
    /// The length octets that start here have a form that DER does not allow: indefinite, or not the shortest; or there
    /// are more than are ever read.
    case badLength(at: Int)
    /// An element of a kind other than the expected one.
    case unexpectedTag(UInt8, wanted: UInt8, at: Int)
    /// Bytes after the last expected element.
    case leftOver(at: Int)
    /// An INTEGER that is empty, not in its shortest form, or wider than 64 bits where a number is expected.
    case badInteger(at: Int)
    /// An element that is nested too deeply, or follows too many others.
    case beyondLimits(at: Int)
}

/// An error type for readers of DER, which can represent a ``DERError``.
public protocol DERFailure: Error {
    init(encoding error: DERError)
}

extension DERError: DERFailure {
    @inlinable
    public init(encoding error: DERError) { self = error }
}

extension DERError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .truncated(let position): "the bytes end inside the element at byte \(position)"
        case .badLength(let position): "the length at byte \(position) is not in DER's shortest definite form"
        case .unexpectedTag(let found, let wanted, let position):
            "tag 0x\(hex(found)) at byte \(position), expected tag 0x\(hex(wanted))"
        case .leftOver(let position): "leftover bytes begin at byte \(position)"
        case .badInteger(let position): "the INTEGER at byte \(position) is not a valid number"
        case .beyondLimits(let position): "the element at byte \(position) is one too many, or nested too deeply"
        }
    }

    private func hex(_ tag: UInt8) -> String { (tag < 16 ? "0" : "") + String(tag, radix: 16) }
}
