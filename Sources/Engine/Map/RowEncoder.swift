public import Checks
public import Rules

/// Writes rows of a table in one format, claim by claim, before the findings are known.
///
/// A row of the table `receipts` is written at once, as if there were no findings. If there are any, the cells `risk`
/// and `rules` in it are replaced at the end. Rows of other tables, any number per claim, stay unchanged.
public final class RowEncoder: Sendable {
    /// Appends a claim's row to some bytes, and returns the position of the two cells.
    public let encode: @Sendable (Facts, inout [UInt8]) -> Int
    /// Appends any number of rows of a claim to some bytes, and adds the end of each.
    let encodeRows: @Sendable (Facts, inout [UInt8], inout [Int]) -> Void
    /// Whether a claim has one row, with two cells that are filled at the end.
    public let isJoined: Bool
    /// Whether rows need ``Facts/content``, which is kept only then.
    public let needsContent: Bool
    /// The number of bytes of the two cells when they are empty.
    public let emptyLength: Int
    /// Appends the two cells: the highest severity, and the rules' ids joined by `;`.
    public let fill: @Sendable (Severity, String, inout [UInt8]) -> Void
    /// Appends a row, which is a line, with the facts of all proofs about the receipt.
    public typealias AddParts = @Sendable (Span<UInt8>, [AnswerPart], inout [UInt8]) -> Void
    /// Adds the facts of other proofs to a row; `nil` if rows do not have them.
    let addParts: AddParts?

    public init(
        emptyLength: Int,
        encode: @escaping @Sendable (Facts, inout [UInt8]) -> Int,
        fill: @escaping @Sendable (Severity, String, inout [UInt8]) -> Void
    ) {
        self.emptyLength = emptyLength
        self.encode = encode
        self.fill = fill
        encodeRows = { _, _, _ in }
        addParts = nil
        isJoined = true
        needsContent = false
    }

    /// Makes an encoder of rows without findings.
    ///
    /// - Parameters:
    ///   - needsContent: whether rows need ``Facts/content``.
    ///   - encode: appends a claim's rows to some bytes, and adds the end of each.
    ///   - addParts: appends a row, which must be a line, with the facts of other proofs; `nil` if rows stay unchanged.
    public init(
        needsContent: Bool = false,
        encode: @escaping @Sendable (Facts, inout [UInt8], inout [Int]) -> Void,
        addParts: AddParts? = nil
    ) {
        self.addParts = addParts
        encodeRows = encode
        isJoined = false
        self.needsContent = needsContent
        emptyLength = 0
        self.encode = { _, bytes in bytes.count }
        fill = { _, _, _ in }
    }
}
