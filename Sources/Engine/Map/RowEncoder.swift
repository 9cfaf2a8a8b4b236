public import Checks
public import Encodings
public import Rules

/// Writes rows of a table in one format, claim by claim, before it is known what the rules find.
///
/// A row of the table `receipts` is written at once, as if nothing were found. If something is, the cells `risk` and
/// `rules` in it are replaced in the end. Rows of other tables, any number for a claim, stay as they are.
public final class RowEncoder: Sendable {
    /// Tells the format from others: rows in the ledger are found by it.
    public let name: String
    /// Of how many of the first claims rows are wanted; `nil` for all.
    public let maxRows: Int?
    /// Writes a claim's row at the end of some bytes, and says where in them the two cells begin.
    public let encode: @Sendable (Facts, inout [UInt8]) -> Int
    /// Writes any number of rows of a claim at the end of some bytes, and adds where each of them ends.
    let encodeRows: @Sendable (Facts, inout [UInt8], inout [Int]) -> Void
    /// Writes what a row of a claim with this source begins with, up to the end of the cell `source`, at the end of
    /// some bytes. A row in the ledger does not have it.
    public let encodeSource: @Sendable (ExactText, inout [UInt8]) -> Void
    /// Whether a claim has one row, with two cells that are filled in the end.
    public let isJoined: Bool
    /// Whether rows are made of ``Facts/content``, which is kept only then.
    public let needsContent: Bool
    /// How many bytes the two cells have while they are empty.
    public let emptyLength: Int
    /// Writes the two cells at the end of some bytes: the highest severity, and the rules' ids joined by `;`.
    public let fill: @Sendable (Severity, String, inout [UInt8]) -> Void
    /// Writes a row, which is a line, and what all proofs together say about the receipt, at the end of some bytes.
    public typealias AddParts = @Sendable (Span<UInt8>, [AnswerPart], inout [UInt8]) -> Void
    /// `nil` if rows do not say what other proofs do.
    let addParts: AddParts?

    public init(
        name: String, maxRows: Int? = nil, emptyLength: Int,
        encode: @escaping @Sendable (Facts, inout [UInt8]) -> Int,
        encodeSource: @escaping @Sendable (ExactText, inout [UInt8]) -> Void,
        fill: @escaping @Sendable (Severity, String, inout [UInt8]) -> Void
    ) {
        self.name = name
        self.maxRows = maxRows
        self.emptyLength = emptyLength
        self.encode = encode
        self.encodeSource = encodeSource
        self.fill = fill
        encodeRows = { _, _, _ in }
        addParts = nil
        isJoined = true
        needsContent = false
    }

    /// An encoder of rows that do not say what the rules find.
    ///
    /// - Parameters:
    ///   - needsContent: whether they are made of ``Facts/content``.
    ///   - encode: writes a claim's rows at the end of some bytes, and adds where each of them ends.
    ///   - addParts: writes a row, which must be a line, with what other proofs say; `nil` if rows stay as they are.
    public init(
        name: String, maxRows: Int? = nil, needsContent: Bool = false,
        encode: @escaping @Sendable (Facts, inout [UInt8], inout [Int]) -> Void,
        encodeSource: @escaping @Sendable (ExactText, inout [UInt8]) -> Void,
        addParts: AddParts? = nil
    ) {
        self.addParts = addParts
        self.name = name
        self.encodeSource = encodeSource
        encodeRows = encode
        self.maxRows = maxRows
        isJoined = false
        self.needsContent = needsContent
        emptyLength = 0
        self.encode = { _, bytes in bytes.count }
        fill = { _, _, _ in }
    }

    /// Whether any row is wanted of a block that has this many claims before it.
    func wantsRows(after claims: Int) -> Bool { maxRows.map { claims < $0 } ?? true }
}
