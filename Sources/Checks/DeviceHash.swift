import Encodings

/// A claimed device, and the hash that a receipt for it would carry.
struct DeviceHash {
    let octets: [UInt8]
    let hash: [UInt8]

    /// A UUID, or a MAC address.
    var name: String {
        let digits = Hex.string(octets.span)
        return octets.count == 6
            ? grouped(digits, by: ":", at: [2, 4, 6, 8, 10])
            : grouped(digits.uppercased(), by: "-", at: [8, 12, 16, 20])
    }

    private func grouped(_ digits: String, by separator: String, at positions: Set<Int>) -> String {
        digits.enumerated().reduce(into: "") { text, digit in
            if positions.contains(digit.offset) { text += separator }
            text.append(digit.element)
        }
    }
}
