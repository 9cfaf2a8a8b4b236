/// Looks whether an element's contents are in DER already, as nearly all are in a container that as a whole is not.
///
/// What it does not know for sure is left to those who read element by element.
struct DERScan: ~Escapable {
    /// Where it stopped: at the end, or at the first element that is not DER.
    private(set) var position: Int

    private var reader: DERReader

    /// - Parameter start: where the contents begin.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, from start: Int) {
        reader = DERReader(bytes)
        reader.offset = start
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
            guard let tag = reader.nextTag, tag & 0x1f != 0x1f, tag != 0, tag != DERTag.constructedOctetString,
                let contents = contents(limit)
            else { return false }
            position = contents.lowerBound
            if tag & 0x20 == 0 {
                position = contents.upperBound
            } else {
                guard open < min(depth, ends.count) else { return false }
                ends[open] = limit
                open += 1
                limit = contents.upperBound
            }
            reader.offset = position
        }
    }

    /// Where the contents of the element here stand, if it ends before the limit.
    @inline(__always)
    private mutating func contents(_ limit: Int) -> Range<Int>? {
        do throws(DERError) {
            _ = try reader.byte()
            let length = try reader.length()
            let start = reader.position
            return length <= limit - start ? start..<(start + length) : nil
        } catch {
            return nil
        }
    }
}
