package import Checks
import Encodings
package import Engine
import Files
package import Rules

/// The key that lines are grouped by: a letter for its kind, then a name in ASCII without blanks.
package enum StreamKey: Hashable {
    /// `#`: how many claims name accounts of which form (``AccountForms``), which decides what is an account. Sorts
    /// before all others.
    case accounts
    /// `0`: facts about findings that must be known before claims are joined with them (``FindingNotice``). Sorts
    /// before them.
    case notices
    /// `c`: a claim. Sorts in the order of claims.
    case claim(ClaimPlace)
    /// `f`: a finding, in parts, with its claims.
    case finding(FindingID)
    /// `e`: an account, device, person, transaction, receipt or signer that findings are about.
    case entity(Entity)
    /// `j`: findings that may be joined to rings.
    case joining
    /// `s`: parts of the summary.
    case summary
    /// `r`, `t`, `d`, `a`, `b`, `n`, `p`, `u`: the common key of claims: a receipt, a transaction, whether original or
    /// not, a device, an account, an app with the date of its original purchase, a token's original transaction with
    /// transaction and nonce, a person, the UUID of an account.
    case group(KeyLetter, [UInt8])

    /// The letters of the kinds of common keys.
    package enum KeyLetter: UInt8 {
        case receipt = 0x72
        case transaction = 0x74
        case device = 0x64
        case account = 0x61
        case app = 0x62
        case nonce = 0x6e
        case person = 0x70
        case accountToken = 0x75

        package init(_ kind: KeyKind) {
            switch kind {
            case .receipt: self = .receipt
            case .transaction, .originalTransaction: self = .transaction
            case .device: self = .device
            case .account: self = .account
            case .app: self = .app
            case .nonce: self = .nonce
            case .person: self = .person
            case .accountToken: self = .accountToken
            }
        }

        /// Whether the key is bytes and not a text.
        fileprivate var isBinary: Bool { self == .receipt || self == .device }
    }

    package static let accountsLetter = UInt8(ascii: "#")

    package func append(to bytes: inout [UInt8]) {
        switch self {
        case .accounts: bytes.append(Self.accountsLetter)
        case .notices: bytes.append(UInt8(ascii: "0"))
        case .finding(let id):
            bytes.append(UInt8(ascii: "f"))
            bytes.append(contentsOf: id.description.utf8)
        case .entity(let entity):
            bytes.append(UInt8(ascii: "e"))
            bytes.append(entity.kind.letter)
            Self.append(escaping: entity.id.utf8.span, to: &bytes)
        case .joining: bytes.append(UInt8(ascii: "j"))
        case .summary: bytes.append(UInt8(ascii: "s"))
        case .claim(let place):
            bytes.append(UInt8(ascii: "c"))
            place.append(to: &bytes)
        case .group(let letter, let octets): Self.append(letter, octets.span, to: &bytes)
        }
    }

    package static func append(_ letter: KeyLetter, _ octets: Span<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(letter.rawValue)
        if letter.isBinary { Base64Text.append(octets, to: &bytes) } else { append(escaping: octets, to: &bytes) }
    }

    /// Appends untrusted text, escaped so that no reader can mistake it for a tab or a line end.
    private static func append(escaping text: Span<UInt8>, to bytes: inout [UInt8]) {
        for index in text.indices {
            let byte = text[index]
            if (0x21...0x7e).contains(byte), byte != UInt8(ascii: "%") {
                bytes.append(byte)
            } else {
                bytes.append(contentsOf: [UInt8(ascii: "%"), Hex.digit(byte >> 4), Hex.digit(byte & 0xf)])
            }
        }
    }

    package init(_ text: Span<UInt8>) throws(LineFault) {
        guard text.count > 0 else { throw .malformed("it has no key") }
        let rest = text.extracting(1...)
        switch text[0] {
        case Self.accountsLetter: self = .accounts
        case UInt8(ascii: "0"): self = .notices
        case UInt8(ascii: "j"): self = .joining
        case UInt8(ascii: "s"): self = .summary
        case UInt8(ascii: "c"): self = .claim(try ClaimPlace(rest))
        case UInt8(ascii: "f"):
            guard let text = try? UTF8Span(validating: rest), let id = FindingID(ExactText(String(copying: text)))
            else {
                throw .malformed("its key names no finding")
            }
            self = .finding(id)
        case UInt8(ascii: "e"):
            guard rest.count > 0, let kind = Entity.Kind(letter: rest[0]) else {
                throw .malformed("its key names no kind of entity")
            }
            let octets = try Self.unescaped(rest.extracting(1...))
            guard let id = try? UTF8Span(validating: octets.span) else { throw .malformed("its key is not UTF-8") }
            self = .entity(Entity(kind, ExactText(String(copying: id))))
        default:
            let (letter, octets) = try Self.group(text)
            self = .group(letter, octets)
        }
    }

    private static func group(_ text: Span<UInt8>) throws(LineFault) -> (KeyLetter, [UInt8]) {
        guard text.count > 0, let letter = KeyLetter(rawValue: text[0]) else {
            throw .malformed("its key is of an unknown kind")
        }
        let rest = text.extracting(1...)
        return (letter, letter.isBinary ? try Base64Text.octets(of: rest) : try unescaped(rest))
    }

    private static func unescaped(_ text: Span<UInt8>) throws(LineFault) -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(text.count)
        var position = 0
        while position < text.count {
            if text[position] != UInt8(ascii: "%") {
                octets.append(text[position])
                position += 1
                continue
            }
            guard position + 2 < text.count, let high = Hex.value(text[position + 1]),
                let low = Hex.value(text[position + 2])
            else { throw .malformed("its key has a broken escape") }
            octets.append(high << 4 | low)
            position += 3
        }
        return octets
    }
}

extension StreamKey.KeyLetter {
    /// The kind of the group; for transactions, that of non-original ones.
    package var kind: KeyKind {
        switch self {
        case .receipt: .receipt
        case .transaction: .transaction
        case .device: .device
        case .account: .account
        case .app: .app
        case .nonce: .nonce
        case .person: .person
        case .accountToken: .accountToken
        }
    }
}

extension ClaimPlace {
    /// Appends hexadecimal digits after their count, so that texts sort like numbers.
    fileprivate func append(to bytes: inout [UInt8]) {
        let digits = String(number.rawValue, radix: 16)
        bytes.append(Hex.digit(UInt8(digits.utf8.count - 1)))
        bytes.append(contentsOf: digits.utf8)
    }

    fileprivate init(_ text: Span<UInt8>) throws(LineFault) {
        var number: UInt64 = 0
        guard (2...17).contains(text.count), Hex.value(text[0]).map({ Int($0) == text.count - 2 }) == true else {
            throw .malformed("its key names no claim")
        }
        for index in 1..<text.count {
            guard let digit = Hex.value(text[index]) else { throw .malformed("its key names no claim") }
            number = number << 4 | UInt64(digit)
        }
        self.init(number: ClaimNumber(rawValue: number))
    }
}

extension Entity.Kind {
    /// The letter of its keys in lines.
    fileprivate var letter: UInt8 { [0x61, 0x64, 0x70, 0x74, 0x72, 0x73][Int(rawValue)] }

    fileprivate init?(letter: UInt8) {
        guard let kind = Self.allCases.first(where: { $0.letter == letter }) else { return nil }
        self = kind
    }
}
