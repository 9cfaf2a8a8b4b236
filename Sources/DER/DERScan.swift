/// Looks whether an element's contents are in DER already, as nearly all are in a container that as a whole is not.
///
/// What it does not know for sure is left to those who read element by element.
struct DERScan: ~Escapable {
    /// How many elements were met.
    private(set) var elements = 0
    /// Where it stopped: at the end, or at the first thing that is not DER.
    private(set) var position: Int

    private let bytes: Span<UInt8>

    /// - Parameter start: where the contents begin.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, from start: Int) {
        self.bytes = bytes
        position = start
    }

    /// Whether all elements up to `end` are DER: low tags, shortest definite lengths, strings in one piece.
    ///
    /// - Parameter depth: how many elements may be open inside each other.
    mutating func isDER(to end: Int, depth: Int) -> Bool {
        var ends = InlineArray<40, Int>(repeating: 0)
        var open = 0
        var limit = end
        while true {
            while position == limit {
                guard open > 0 else { return true }
                open -= 1
                limit = ends[open]
            }
            guard limit - position >= 2 else { return false }
            let tag = bytes[position]
            guard tag & 0x1f != 0x1f, tag != 0, tag != DERTag.constructedOctetString, let length = length(limit)
            else { return false }
            elements += 1
            if tag & 0x20 == 0 {
                position += length
            } else {
                guard open < min(depth, ends.count) else { return false }
                ends[open] = limit
                open += 1
                limit = position + length
            }
        }
    }

    /// The length of the element here, if it is the shortest form and the element ends before the limit; then stands
    /// behind it.
    @inline(__always)
    private mutating func length(_ limit: Int) -> Int? {
        let first = Int(bytes[position + 1])
        var length = first
        var header = 2
        if first >= 0x80 {
            let octets = first & 0x7f
            guard (1...4).contains(octets), octets <= limit - position - 2 else { return nil }
            length = 0
            for index in 0..<octets { length = length << 8 | Int(bytes[position + 2 + index]) }
            guard length >= 0x80, length >> (8 * (octets - 1)) != 0 else { return nil }
            header += octets
        }
        guard length <= limit - position - header else { return nil }
        position += header
        return length
    }
}
