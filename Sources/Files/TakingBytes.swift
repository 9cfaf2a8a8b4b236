extension Array where Element == UInt8 {
    /// Takes the bytes out of their place, so that there is one owner and appending to them copies nothing.
    public mutating func take() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &self)
        return taken
    }
}
