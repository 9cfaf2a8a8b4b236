extension Span<UInt8> {
    /// Where the first tab is; behind the end if there is none.
    var firstTab: Int {
        for index in indices where self[index] == 0x09 { return index }
        return count
    }
}

extension [UInt8] {
    func isSame(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }
}
