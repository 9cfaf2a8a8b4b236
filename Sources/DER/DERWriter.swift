/// Writes values as DER, for samples and tests.
public enum DERWriter {
    /// Returns one element: tag, shortest length, contents.
    public static func element(_ tag: DERTag, _ contents: [UInt8]...) -> [UInt8] {
        element(tag.rawValue, contents)
    }

    /// Returns one element with these contents, concatenated.
    public static func element(_ tag: UInt8, _ contents: [[UInt8]]) -> [UInt8] {
        let count = contents.reduce(0) { $0 + $1.count }
        let lengthOctets = ElementLength.octetCount(count)
        var bytes = [tag]
        bytes.reserveCapacity(1 + lengthOctets + count)
        for index in 0..<lengthOctets { bytes.append(ElementLength.octet(index, of: count)) }
        for content in contents { bytes += content }
        return bytes
    }

    /// Returns an INTEGER in its shortest form.
    public static func integer(_ value: Int) -> [UInt8] {
        // Octets are omitted as long as they only repeat the following sign bit.
        var shift = 56
        while shift > 0, value &>> (shift - 1) == 0 || value &>> (shift - 1) == -1 { shift -= 8 }
        var bytes = [DERTag.integer.rawValue, UInt8(shift / 8 + 1)]
        while shift >= 0 {
            bytes.append(UInt8(truncatingIfNeeded: value &>> shift))
            shift -= 8
        }
        return bytes
    }

    public static func utf8String(_ text: String) -> [UInt8] { element(.utf8String, Array(text.utf8)) }

    public static func ia5String(_ text: String) -> [UInt8] { element(.ia5String, Array(text.utf8)) }

    public static var null: [UInt8] { [DERTag.null.rawValue, 0] }
}
