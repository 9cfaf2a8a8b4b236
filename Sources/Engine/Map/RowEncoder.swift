public import Checks
public import Rules

/// Writes the rows of a table in one format, claim by claim, before the findings are known.
public enum RowEncoder: Sendable {
    case joined(JoinedRowEncoder)
    case complete(CompleteRowEncoder)

    /// The encoder of rows that wait for the findings; `nil` if rows are complete at once.
    var joined: JoinedRowEncoder? { if case .joined(let encoder) = self { encoder } else { nil } }

    /// The encoder of rows that are complete at once; `nil` if they wait for the findings.
    var complete: CompleteRowEncoder? { if case .complete(let encoder) = self { encoder } else { nil } }
}

/// Writes one row per claim, as if there were no findings: the table `receipts`. If there are any, the cells `risk` and
/// `rules` in the row are replaced at the end.
public struct JoinedRowEncoder: Sendable {
    /// Appends a claim's row to some bytes, and returns the position of the two cells.
    package let encode: @Sendable (Facts, inout [UInt8]) -> Int
    /// The number of bytes of the two cells when they are empty.
    package let emptyLength: Int
    /// Appends the two cells: the highest severity, and the rules' ids joined by `;`.
    package let fill: @Sendable (Severity, String, inout [UInt8]) -> Void

    public init(
        emptyLength: Int,
        encode: @escaping @Sendable (Facts, inout [UInt8]) -> Int,
        fill: @escaping @Sendable (Severity, String, inout [UInt8]) -> Void
    ) {
        self.emptyLength = emptyLength
        self.encode = encode
        self.fill = fill
    }
}

/// Writes any number of rows per claim, which no finding changes.
public struct CompleteRowEncoder: Sendable {
    /// Appends a row, which is a line, with the facts of all proofs about the receipt.
    public typealias AddParts = @Sendable (Span<UInt8>, [AnswerPart], inout [UInt8]) -> Void

    /// Appends a claim's rows to some bytes, and adds the end of each.
    let encode: @Sendable (Facts, inout [UInt8], inout [Int]) -> Void
    /// Whether rows need ``Facts/content``, which is kept only then.
    let needsContent: Bool
    /// Adds the facts of other proofs to a row; `nil` if rows do not have them.
    let addParts: AddParts?

    /// - Parameters:
    ///   - needsContent: whether rows need ``Facts/content``.
    ///   - encode: appends a claim's rows to some bytes, and adds the end of each.
    ///   - addParts: appends a row, which must be a line, with the facts of other proofs; `nil` if rows stay unchanged.
    public init(
        needsContent: Bool = false,
        encode: @escaping @Sendable (Facts, inout [UInt8], inout [Int]) -> Void,
        addParts: AddParts? = nil
    ) {
        self.needsContent = needsContent
        self.encode = encode
        self.addParts = addParts
    }
}
