/// Writes the cells of rows into bytes that it holds.
protocol RowBuffer: CellWriter, SendableMetatype {
    var bytes: [UInt8] { get }

    mutating func endRow()
    /// Hands over what was written, and starts again with nothing.
    mutating func takeBytes() -> [UInt8]
}
