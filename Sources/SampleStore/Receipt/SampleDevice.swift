import Encodings

/// A device, as the receipt's hash knows it.
public enum SampleDevice: Hashable, Sendable {
    /// The 16 bytes of an `identifierForVendor`.
    case vendorIdentifier([UInt8])
    /// The 6 bytes of a Mac's primary network address.
    case networkAddress([UInt8])

    /// The bytes that go into the hash.
    public var octets: [UInt8] {
        switch self {
        case .vendorIdentifier(let octets), .networkAddress(let octets): octets
        }
    }

    /// The text in a `device_id` column: `6F9619FF-8B86-…` or `a4:83:e7:…`.
    public var text: String {
        let digits = Array(Hex.string(octets.span))
        switch self {
        case .vendorIdentifier:
            return Self.grouped(digits, at: [8, 12, 16, 20], by: "-").uppercased()
        case .networkAddress:
            return Self.grouped(digits, at: [2, 4, 6, 8, 10], by: ":")
        }
    }

    public var isMac: Bool {
        if case .networkAddress = self { true } else { false }
    }

    private static func grouped(_ digits: [Character], at breaks: Set<Int>, by separator: Character) -> String {
        var text = ""
        for (index, digit) in digits.enumerated() {
            if breaks.contains(index) { text.append(separator) }
            text.append(digit)
        }
        return text
    }
}
