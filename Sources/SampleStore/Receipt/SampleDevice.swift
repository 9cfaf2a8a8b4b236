import Encodings

/// A device, as the receipt's hash knows it: an iPhone by its vendor identifier, a Mac by its network address.
///
/// A struct and not an enum of two payloads: Swift marks the case in the payload's pointer,
/// and the leak sanitizer then takes every device in a global for lost.
public struct SampleDevice: Hashable, Sendable {
    public let isMac: Bool
    /// The bytes that go into the hash.
    public let octets: [UInt8]

    /// The 16 bytes of an `identifierForVendor`.
    public static func vendorIdentifier(_ octets: [UInt8]) -> SampleDevice {
        SampleDevice(isMac: false, octets: octets)
    }

    /// The 6 bytes of a Mac's primary network address.
    public static func networkAddress(_ octets: [UInt8]) -> SampleDevice {
        SampleDevice(isMac: true, octets: octets)
    }

    /// The text in a `device_id` column: `6F9619FF-8B86-…` or `a4:83:e7:…`.
    public var text: String {
        let digits = Array(Hex.string(octets.span))
        return isMac
            ? Self.grouped(digits, at: [2, 4, 6, 8, 10], by: ":")
            : Self.grouped(digits, at: [8, 12, 16, 20], by: "-").uppercased()
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
