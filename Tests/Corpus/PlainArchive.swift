/// A ZIP file whose parts are not compressed (APPNOTE 4.3).
public struct PlainArchive {
    public let bytes: [UInt8]

    /// - Parameter parts: their texts by their names.
    public init(_ parts: [String: String]) {
        var (bytes, directory) = ([UInt8](), [UInt8]())
        for (name, text) in parts.sorted(by: { $0.key < $1.key }) {
            let (name, content) = (Array(name.utf8), Array(text.utf8))
            let head =
                Self.number(20, 2) + Self.number(0, 8) + Self.number(Int(Self.checksum(content)), 4)
                + Self.number(content.count, 4) + Self.number(content.count, 4) + Self.number(name.count, 2)
            directory += Self.number(0x0201_4b50, 4) + Self.number(20, 2) + head + Self.number(0, 12)
            directory += Self.number(bytes.count, 4) + name
            bytes += Self.number(0x0403_4b50, 4) + head + Self.number(0, 2) + name + content
        }
        let end =
            Self.number(0x0605_4b50, 4) + Self.number(0, 4) + Self.number(parts.count, 2) + Self.number(parts.count, 2)
        self.bytes = bytes + directory + end + Self.number(directory.count, 4) + Self.number(bytes.count, 4) + [0, 0]
    }

    private static func number(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> (8 * $0)) : 0 }
    }

    /// CRC-32 (ISO 3309).
    public static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = sum & 1 == 1
                sum >>= 1
                if isOdd { sum ^= 0xedb8_8320 }
            }
        }
        return ~sum
    }
}
