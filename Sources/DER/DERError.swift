/// Why bytes are not the DER that belongs there, and where reading stopped.
///
/// Positions count from the first byte of the span that is being read.
public enum DERError: Error, Equatable, Sendable {
    /// The bytes end inside the element that starts here.
    case truncated(at: Int)
    /// A length that DER does not allow: indefinite, too long, or not in its shortest form.
    case badLength(at: Int)
    /// An element of another kind than the one that belongs here.
    case unexpectedTag(UInt8, wanted: UInt8, at: Int)
    /// Bytes after the last element that belongs here.
    case leftOver(at: Int)
    /// An INTEGER that is empty, not in its shortest form, or wider than 64 bits where a number is wanted.
    case badInteger(at: Int)
    /// An element that is nested deeper, or comes after more others, than is ever read.
    case beyondLimits(at: Int)
}

extension DERError {
    /// The same error in bytes that stand behind so many others.
    public func moved(by offset: Int) -> DERError {
        switch self {
        case .truncated(let position): .truncated(at: position + offset)
        case .badLength(let position): .badLength(at: position + offset)
        case .unexpectedTag(let found, let wanted, let position):
            .unexpectedTag(found, wanted: wanted, at: position + offset)
        case .leftOver(let position): .leftOver(at: position + offset)
        case .badInteger(let position): .badInteger(at: position + offset)
        case .beyondLimits(let position): .beyondLimits(at: position + offset)
        }
    }
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
            "tag 0x\(hex(found)) at byte \(position), where tag 0x\(hex(wanted)) belongs"
        case .leftOver(let position): "bytes are left over from byte \(position) on"
        case .badInteger(let position): "the INTEGER at byte \(position) is not a valid number"
        case .beyondLimits(let position): "the element at byte \(position) is one too many, or nested too deep"
        }
    }

    private func hex(_ tag: UInt8) -> String { (tag < 16 ? "0" : "") + String(tag, radix: 16) }
}
