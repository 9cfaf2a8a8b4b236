extension Span<UInt8> {
    /// Where the first tab is; behind the end if there is none.
    var firstTab: Int {
        for index in indices where self[index] == 0x09 { return index }
        return count
    }
}
