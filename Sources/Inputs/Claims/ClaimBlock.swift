import Encodings
import Files

/// The input of some claims, on its way from the source to a reader and on to a worker.
///
/// Claims travel in blocks so that threads synchronize once per block. The bytes are in two buffers, so that a block
/// costs a handful of allocations for any number of claims. It is a reference, so that a buffer has one owner: copying
/// it would cost more than reading it. Only one thread at a time may use it.
public final class ClaimBlock: @unchecked Sendable {
    let shape: Shape
    let origin: ClaimOrigin
    /// The pool that gets ``text`` back after the block has been used.
    let pool: BufferPool?
    /// Cells, lines and paths.
    var text: ByteArena
    /// The files that a loader has read.
    var files = ByteArena()
    var items: [Item] = []
    /// The cells of known columns, for rows: ``Column/count`` ranges per item.
    var cells: [Range<Int>] = []
    /// The status of each item's file, if requested; otherwise empty.
    var stamps: [FileStatus?] = []
    /// Whether a line names a file, which the decoder reads later.
    var hasFilesInText = false
    /// The number of the INPUT (see ``Inputs/name(ofInput:)``).
    public internal(set) var input = 0
    /// Whether the block has enough rows to end.
    var isFull: Bool { boundary.isReached }
    private var boundary = BlockBoundary()
    /// The unknown keys in its lines, if they are collected block by block.
    var unknownKeys = UnknownNames()

    init(_ shape: Shape, from origin: ClaimOrigin, pool: BufferPool?) {
        self.shape = shape
        self.origin = origin
        self.pool = pool
        text = pool?.take() ?? ByteArena()
    }

    /// A block of rows.
    init(_ rows: consuming BlockRows, from origin: ClaimOrigin, pool: BufferPool) {
        shape = .rows
        self.origin = origin
        self.pool = pool
        text = rows.text
        items = rows.items
        cells = rows.cells
    }

    /// Appends a line or a file, with its text in ``text``.
    func append(_ item: Item) {
        items.append(item)
        let text = text
        boundary.add(text.span(item.text))
    }

    var isEmpty: Bool { items.isEmpty }

    /// The number of claims.
    public var count: Int { items.count }

    /// The kind of its items.
    enum Shape: Sendable {
        /// Files without a row.
        case files
        /// Rows of a manifest or a table, split into cells.
        case rows
        /// Lines of NDJSON, not yet parsed.
        case lines
    }

    /// The input of one claim.
    struct Item: Sendable {
        /// The physical line on which the row starts.
        var line = 0
        /// The line of NDJSON, or the name of a file without a row.
        var text = 0..<0
        /// The path of the receipt file, with a NUL after it.
        var path = 0..<0
        /// The bytes that distinguish the claim from others if there is no receipt: the bytes, without the line end, of
        /// a line or of an unreadable row; otherwise the path as named in the row.
        var identity = 0..<0
        var receipt = Receipt.inText
    }

    /// The place of the bytes of a claim's receipt.
    enum Receipt: Sendable {
        /// In the line, or in a cell of the row.
        case inText
        /// In a file that has not been read.
        case inFile
        /// In the files that were loaded.
        case loaded(Range<Int>)
        /// Nowhere.
        case fault(InputFault)
    }
}

/// The rows of the next block. Not a class like the block itself, because each access to a class is checked at run
/// time, and there are many per row.
struct BlockRows {
    var text: ByteArena
    private(set) var items: [ClaimBlock.Item] = []
    private(set) var cells: [Range<Int>] = []
    private var boundary = BlockBoundary()

    init(_ pool: BufferPool) {
        text = pool.take()
        items.reserveCapacity(BlockBoundary.maxCount)
        cells.reserveCapacity(BlockBoundary.maxCount * Column.count)
    }

    /// Whether there are enough rows for the block to end.
    var areFull: Bool { boundary.isReached }

    /// Appends a row.
    ///
    /// - Parameter start: the start of its cells in ``text``, which ends with them.
    mutating func append(_ item: ClaimBlock.Item, _ cells: [Range<Int>], from start: Int) {
        items.append(item)
        self.cells.append(contentsOf: cells)
        var boundary = boundary
        boundary.add(text.span(start..<max(start, text.count)))
        self.boundary = boundary
    }

    /// Makes a block from the rows, and starts over.
    mutating func makeBlock(from origin: ClaimOrigin, _ pool: BufferPool) -> ClaimBlock {
        var rows = BlockRows(pool)
        swap(&rows, &self)
        return ClaimBlock(rows, from: origin, pool: pool)
    }
}

/// The identity of a block: blocks with the same identity contain the same claims, at any places (``BlockPlaces``).
///
/// It consists of bytes of any length, for a cryptographic hash.
extension ClaimBlock {
    /// Appends an identity from the bytes that the claims present.
    ///
    /// - Parameter digest: appends a digest of the bytes of a file or of a long text.
    /// - Returns: whether there is one; not for a block with files that are read later.
    public func appendIdentity(to bytes: inout [UInt8], digest: (Span<UInt8>, inout [UInt8]) -> Void) -> Bool {
        let files = files
        // Hashing a long text takes less time than copying it and hashing the copy.
        let append = { (text: Span<UInt8>, bytes: inout [UInt8]) in
            guard text.count > Self.longText else { return bytes.append(counted: text) }
            bytes.append(leb128: UInt64(text.count))
            digest(text, &bytes)
        }
        return appendIdentity(to: &bytes, text: append) { index, bytes in
            guard case .loaded(let range) = items[index].receipt else { return false }
            digest(files.span(range), &bytes)
            return true
        }
    }

    /// Appends an identity from the status of the files, which need not have been read.
    ///
    /// - Parameter settledBefore: in nanoseconds since the epoch. If the bytes or the status of a file were changed
    ///   after it, the file may change again without a visible change of status, because clocks tick only now and then.
    /// - Returns: whether there is one; not for a block without files.
    public func appendIdentityByStatus(to bytes: inout [UInt8], settledBefore limit: Int64) -> Bool {
        guard stamps.contains(where: { $0 != nil }) else { return false }
        return appendIdentity(to: &bytes, text: { $1.append(counted: $0) }) { index, bytes in
            guard index < stamps.count, let stamp = stamps[index], stamp.isSettled(before: limit) else { return false }
            stamp.appendIdentity(to: &bytes)
            return true
        }
    }

    /// Whether ``appendIdentity(to:digest:)`` covers all input. It does not if a line names a file.
    public var isSelfContained: Bool { !hasFilesInText }

    /// Records these keys as unknown, as if lines with them had been read.
    public func record(unknownKeys names: [String]) {
        for name in names { origin.unknownKeys?.insert(name) }
    }

    /// The unknown keys in its lines that the summary may name, in byte order.
    public var unknownKeyNames: [String] { unknownKeys.names }

    private static let longText = 1024

    private func appendIdentity(
        to bytes: inout [UInt8], text append: (Span<UInt8>, inout [UInt8]) -> Void, file: (Int, inout [UInt8]) -> Bool
    ) -> Bool {
        bytes.append(shape == .files ? 0 : shape == .rows ? 1 : 2)
        bytes.append(origin.hasData ? 1 : 0)
        let (items, cells, text) = (items, cells, text)
        for index in items.indices {
            let (shown, identity) = (items[index].text, items[index].identity)
            switch shape {
            case .files: append(text.span(shown), &bytes)
            // The whole line that contains the text: blanks around the text count if the line cannot be read.
            case .lines: append(text.span(identity.isEmpty ? shown : identity), &bytes)
            case .rows:
                // The cells of an unreadable row are not known.
                if case .fault = items[index].receipt { append(text.span(identity), &bytes) }
                for column in 0..<Column.count {
                    let cell = cells[index * Column.count + column]
                    // Most cells are empty.
                    if cell.isEmpty { bytes.append(0) } else { append(text.span(cell), &bytes) }
                }
            }
            switch items[index].receipt {
            case .inText: bytes.append(0)
            case .inFile, .loaded:
                bytes.append(1)
                guard file(index, &bytes) else { return false }
            case .fault(let fault):
                bytes.append(2)
                bytes.append(text: "\(fault.kind)")
                bytes.append(text: fault.reason)
            }
        }
        return true
    }
}

extension [UInt8] {
    fileprivate mutating func append(text: String) {
        let bytes = Array(text.utf8)
        append(counted: bytes.span)
    }

    /// Appends the number of bytes, then the bytes.
    fileprivate mutating func append(counted bytes: Span<UInt8>) {
        append(leb128: UInt64(bytes.count))
        append(copying: bytes)
    }
}

extension FileStatus {
    /// Appends the fields that stay the same while a file is unchanged: size, mtime, ctime, inode and device.
    ///
    /// Anybody can set mtime, and inodes are reused after deletion: files that are unpacked twice from one archive
    /// differ only in ctime, which can be set only by setting the clock.
    fileprivate func appendIdentity(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: UInt64(bitPattern: Int64(size)))
        bytes.append(bigEndian: UInt64(bitPattern: modified))
        bytes.append(bigEndian: UInt64(bitPattern: changed))
        bytes.append(bigEndian: inode)
        bytes.append(bigEndian: device)
    }

    /// Whether bytes and status were last changed before a time, in nanoseconds since the epoch.
    fileprivate func isSettled(before limit: Int64) -> Bool { max(modified, changed) < limit }
}
