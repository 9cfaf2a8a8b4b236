extension Span where Element == UInt8 {
    /// Whether these are the same bytes.
    public func isSame(as other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }
}
