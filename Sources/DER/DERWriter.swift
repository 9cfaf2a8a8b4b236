/// Writes values as DER, for samples and tests.
public enum DERWriter {
    /// Returns one element: tag, shortest length, contents.
    public static func element(_ tag: DERTag, _ contents: [UInt8]...) -> [UInt8] {
        element(tag.rawValue, contents)
    }

    /// Returns one element whose contents are these, one after the other.
    public static func element(_ tag: UInt8, _ contents: [[UInt8]]) -> [UInt8] {
        let count = contents.reduce(0) { $0 + $1.count }
        var bytes = [tag] + (0..<ElementLength.octetCount(count)).map { ElementLength.octet($0, of: count) }
        bytes.reserveCapacity(bytes.count + count)
        for content in contents { bytes += content }
        return bytes
    }

    /// Returns an INTEGER in its shortest form.
    public static func integer(_ value: Int) -> [UInt8] {
        var octets = (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
        while octets.count > 1,
            octets[0] == 0 && octets[1] < 0x80 || octets[0] == 0xff && octets[1] >= 0x80
        {
            octets.removeFirst()
        }
        return element(.integer, octets)
    }

    public static func utf8String(_ text: String) -> [UInt8] { element(.utf8String, Array(text.utf8)) }

    public static func ia5String(_ text: String) -> [UInt8] { element(.ia5String, Array(text.utf8)) }

    public static var null: [UInt8] { [DERTag.null.rawValue, 0] }
}
