public import Encodings
import Inputs

/// What claims of one group have in common.
public struct GroupKey: Hashable, Sendable {
    public let kind: KeyKind
    /// The content's digest, the device's octets, or the id's text.
    public let octets: [UInt8]

    public init(_ kind: KeyKind, octets: [UInt8]) {
        self.kind = kind
        self.octets = octets
    }

    /// How a finding names what it is about. The octets are those of a key that was made from facts.
    public var subject: ExactText {
        switch kind {
        case .receipt: "receipt:\(Hex.string(octets.span))"
        case .originalTransaction, .transaction: "transaction:\(String(decoding: octets, as: UTF8.self))"
        case .device: "device:\(Device(octets: octets.span)?.description ?? Hex.string(octets.span))"
        case .account: "account:\(String(decoding: octets, as: UTF8.self))"
        }
    }
}

extension ExactText {
    /// An untrusted id as it is compared and reported: whole, or if it is longer than any id, its beginning and a hash.
    package var boundedID: ExactText {
        let most = 256
        guard utf8.count > most else { return self }
        let (hash, reversed) = (String(stableHash, radix: 16), String(reversedHash, radix: 16))
        return "\(String(decoding: utf8.prefix(64), as: UTF8.self))…\(hash)\(reversed)"
    }

    /// A second hash, so that two long ids do not pass for one by accident.
    private var reversedHash: UInt64 {
        let reversed = Array(utf8.reversed())
        return reversed.span.stableHash
    }
}
