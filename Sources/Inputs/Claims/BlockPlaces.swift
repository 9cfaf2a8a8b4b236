public import Encodings

/// The places of a block's claims: everything in their sources except the path of a file without a row.
///
/// A block's identity and the results in a ledger do not depend on it, so they stay valid when rows are moved.
public struct BlockPlaces: Sendable {
    /// The text before the line in a source, or before the path of a file.
    private let prefix: String
    /// The line of the first claim; `nil` for files without rows, which have no lines.
    private let firstLine: Int?
    /// The differences between the lines of claims, as LEB128 numbers; empty if all are 1, as nearly always.
    private let steps: [UInt8]

    init(_ block: ClaimBlock) {
        prefix = block.sourcePrefix
        guard block.shape != .files else {
            (firstLine, steps) = (nil, [])
            return
        }
        firstLine = block.items.first?.line ?? 0
        let items = block.items
        guard items.indices.dropFirst().contains(where: { items[$0].line &- items[$0 - 1].line != 1 }) else {
            steps = []
            return
        }
        var steps: [UInt8] = []
        for index in items.indices.dropFirst() {
            steps.append(leb128: UInt64(bitPattern: Int64(items[index].line &- items[index - 1].line)))
        }
        self.steps = steps
    }

    /// Returns the lines of the first `count` claims; empty for files without rows.
    public func lines(_ count: Int) -> [Int] {
        guard let firstLine, count > 0 else { return [] }
        guard !steps.isEmpty else { return (0..<count).map { firstLine &+ $0 } }
        var lines = [firstLine]
        lines.reserveCapacity(count)
        var (line, position) = (firstLine, 0)
        let steps = steps.span
        while lines.count < count, let step = steps.leb128(at: &position) {
            line &+= Int(truncatingIfNeeded: step)
            lines.append(line)
        }
        return lines
    }

    /// Returns the source of a claim.
    ///
    /// - Parameters:
    ///   - line: the line of the claim; `nil` for a file without a row.
    ///   - path: the path of such a file.
    public func source(line: Int?, path: ExactText) -> ExactText {
        ExactText(prefix + (line.map(String.init) ?? path.text))
    }

    /// Returns the path of the file without a row that has this source; empty for a row.
    public func path(in source: ExactText) -> ExactText {
        guard firstLine == nil else { return "" }
        return source.rest(behind: ExactText(prefix)) ?? source
    }
}

extension ClaimBlock {
    public var places: BlockPlaces { BlockPlaces(self) }

    /// The sources of all claims, in their order.
    public var sources: [ExactText] {
        let prefix = sourcePrefix
        return items.map { source(of: $0, behind: prefix) }
    }

    /// Returns the source of a claim.
    func source(of item: Item) -> ExactText { source(of: item, behind: sourcePrefix) }

    /// The text before the line in a source, or before the path of a file.
    fileprivate var sourcePrefix: String { shape == .files ? origin.prefix : origin.table + ":" }

    private func source(of item: Item, behind prefix: String) -> ExactText {
        guard shape == .files else { return ExactText(prefix + String(item.line)) }
        let text = text
        return ExactText(prefix + String(repairing: text.span(item.text)))
    }
}
