import Encodings
package import Files
package import Rules
import Sorting
import Synchronization

/// Collects evidence about purchases on all workers, and makes an index of it on disk: the statements that count,
/// sorted by hash (``EvidenceIndex``).
package final class EvidenceIndexBuilder: Sendable {
    private let collectors = Mutex(Shared<[StatementCollector]>(value: []))
    private let storage: Storage

    /// - Parameter storage: shared by all workers.
    package init(_ storage: Storage) { self.storage = storage }

    /// Returns a collector for one worker.
    func collector(_ storage: Storage) -> StatementCollector {
        collectors.withLock { collectors in
            let collector = StatementCollector(storage)
            collectors.value.append(collector)
            return collector
        }
    }

    /// Makes the index, after all workers have ended.
    ///
    /// - Parameters:
    ///   - settings: identifies everything that the evidence was verified with. Only a reader with the same settings
    ///     opens it.
    ///   - onNew: receives each statement that counts and that no earlier run had, sorted by hash.
    package func finish(
        settings: ExactText, onNew: (EvidenceStatement) throws -> Void = { _ in }
    ) throws -> EvidenceIndex {
        let filled = collectors.withLock { $0 }
        var (runs, news): ([SortedRun], Int) = ([], 0)
        for collector in filled.value {
            runs += try collector.sorter.finish()
            news += collector.news
        }
        var writer = try IndexWriter(in: storage.folder, news: news)
        var merge = try RunMerge(runs)
        var best: CollectedStatement?
        func endItem() throws {
            guard let best else { return }
            try writer.append(best.statement)
            if !best.isKept { try onNew(best.statement) }
        }
        while !merge.isAtEnd {
            let next: CollectedStatement = try merge.value()
            if let held = best, held.statement.isAboutSame(as: next.statement) {
                if next.counts(before: held) { best = next }
            } else {
                try endItem()
                best = next
            }
            try merge.advance()
        }
        try endItem()
        return try writer.finish(settings: settings)
    }
}

/// A statement, and whether an earlier run had it.
private struct CollectedStatement: SortedRecord {
    var statement: EvidenceStatement
    var isKept: Bool

    init(_ statement: EvidenceStatement, isKept: Bool) { (self.statement, self.isKept) = (statement, isKept) }

    static var unread: CollectedStatement { CollectedStatement(.unread, isKept: false) }

    var prefix: UInt64 { statement.prefix }

    mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try statement.code(&coder)
        var bits = try coder.beginBits()
        coder.flag(&isKept, &bits)
        coder.end(bits)
    }

    /// Whether this statement takes precedence over another about the same item; of one token delivered twice, the copy
    /// of the earlier run.
    func counts(before other: CollectedStatement) -> Bool {
        if statement.counts(before: other.statement) { return true }
        return isKept && !other.statement.counts(before: statement)
    }
}

/// Collects the statements of one worker.
final class StatementCollector {
    fileprivate let sorter: ValueSorter<CollectedStatement>
    /// The number of statements that can change a purchase that its proof shows whole.
    private(set) var news = 0

    init(_ storage: Storage) { sorter = ValueSorter(storage) }

    /// - Parameter isKept: whether an earlier run had it.
    func add(_ statement: EvidenceStatement, isKept: Bool = false) throws(FileError) {
        if statement.isNews { news += 1 }
        try sorter.add(CollectedStatement(statement, isKept: isKept))
    }
}

/// Writes an index to a temporary file: the records in pages, then the starts of pages, the filter, and the sizes of
/// all.
private struct IndexWriter {
    /// The size of a page, unless there would be too many.
    private static let pageSize = 4 << 10
    /// The maximum number of pages. Beyond it pages grow, so that their starts fit in memory.
    private static let maxPages = 1 << 16

    private let file: TemporaryFile
    private var layout = IndexLayout()
    private var pageSize = Self.pageSize
    private var pending: [UInt8] = []
    private var written = 0
    private var last: UInt64?
    private var record = RecordWriter()

    init(in folder: String, news: Int) throws(FileError) {
        file = try TemporaryFile(in: folder)
        layout.filter = HashFilter(expecting: news)
    }

    mutating func append(_ statement: EvidenceStatement) throws(FileError) {
        var statement = statement
        let prefix = statement.prefix
        let position = written + pending.count
        // Records of one hash are in one page.
        if last != prefix, layout.pages.last.map({ position - $0.start >= pageSize }) ?? true {
            layout.pages.append(IndexLayout.Page(first: prefix, start: position))
            if layout.pages.count > Self.maxPages { joinPages() }
        }
        last = prefix
        record.removeAll()
        statement.code(&record)
        pending.append(bigEndian: prefix)
        pending.append(leb128: UInt64(record.bytes.count))
        pending.append(contentsOf: record.bytes)
        layout.count += 1
        layout.digest = stableMix(layout.digest ^ record.bytes.span.stableHash)
        if statement.isNews { layout.filter.insert(prefix) }
        if pending.count >= 256 << 10 { try flush() }
    }

    private mutating func joinPages() {
        layout.pages = layout.pages.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        pageSize *= 2
    }

    private mutating func flush() throws(FileError) {
        try file.write(pending.span, at: written)
        written += pending.count
        pending.removeAll(keepingCapacity: true)
    }

    mutating func finish(settings: ExactText) throws(FileError) -> EvidenceIndex {
        layout.recordsEnd = written + pending.count
        layout.settings = settings
        record.removeAll()
        layout.code(&record)
        pending.append(contentsOf: record.bytes)
        pending.append(bigEndian: UInt64(record.bytes.count))
        pending.append(contentsOf: IndexLayout.mark)
        try flush()
        return EvidenceIndex(.temporary(file, count: written), layout)
    }
}
