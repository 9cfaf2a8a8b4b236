package import Encodings
package import Files
import Rules
import Sorting

/// An index on disk of what Apple sent to the company's server about each purchase: the statements that count.
///
/// Its records are sorted by hash, in pages. Memory holds the start of each page (at most a megabyte) and a filter that
/// spares most purchases a read from disk (at most eight megabytes), for any amount of evidence. Any number of threads
/// may look purchases up, each with its own ``EvidenceLookup``.
package final class EvidenceIndex: Sendable {
    enum Contents: Sendable {
        case temporary(TemporaryFile, count: Int)
        case stored(StoredFile)
    }

    private let contents: Contents
    fileprivate let layout: IndexLayout

    init(_ contents: Contents, _ layout: IndexLayout) { (self.contents, self.layout) = (contents, layout) }

    /// The number of statements: a purchase may have two names, and its price is a separate statement.
    package var count: Int { layout.count }
    /// A digest that differs for different evidence.
    package var digest: UInt64 { layout.digest }

    /// Returns whether a file is an index, by its last bytes.
    package static func isIndex(_ path: String) -> Bool {
        guard let file = try? StoredFile(path), file.count >= IndexLayout.mark.count else { return false }
        return (try? file.bytes(file.count - IndexLayout.mark.count..<file.count)) == IndexLayout.mark
    }

    /// Opens an index that ``write(to:)`` wrote.
    ///
    /// - Throws: `FileError`, or ``EvidenceIndexError`` if it is not an index, or was made with other settings or by
    ///   another version.
    package static func open(_ path: String, settings: ExactText) throws -> EvidenceIndex {
        let file = try StoredFile(path)
        let end = file.count - 8 - IndexLayout.mark.count
        guard isIndex(path), end >= 0 else { throw EvidenceIndexError.malformed(path) }
        let written = try file.bytes(end..<end + 8)
        let size = written.span.bigEndian(at: 0)
        guard size <= UInt64(min(end, IndexLayout.maxSize)) else { throw EvidenceIndexError.malformed(path) }
        let start = end - Int(size)
        let record = try file.bytes(start..<end)
        guard let layout = try? IndexLayout(record: record.span) else { throw EvidenceIndexError.malformed(path) }
        guard layout.version == RecordVersion.number, layout.settings == settings else {
            throw EvidenceIndexError.otherSettings(path)
        }
        guard layout.recordsEnd == start, layout.isConsistent else { throw EvidenceIndexError.malformed(path) }
        return EvidenceIndex(.stored(file), layout)
    }

    /// Writes the index to a file.
    package func write(to output: OutputFile) throws(FileError) {
        let count =
            switch contents {
            case .temporary(_, let count): count
            case .stored(let file): file.count
            }
        var position = 0
        while position < count {
            let end = min(count, position + (1 << 20))
            let piece = try bytes(position..<end)
            try output.write(piece.span)
            position = end
        }
    }

    fileprivate func bytes(_ range: Range<Int>) throws(FileError) -> [UInt8] {
        switch contents {
        case .temporary(let file, _): try file.bytes(range)
        case .stored(let file): try file.bytes(range)
        }
    }
}

/// The reason why a file cannot be used as an index of evidence.
package enum EvidenceIndexError: Error, Equatable, CustomStringConvertible {
    case malformed(String)
    case otherSettings(String)

    package var description: String {
        switch self {
        case .malformed(let path): "\(path) is not a complete evidence index"
        case .otherSettings(let path):
            "\(path) was made by another version, or with another policy, other roots or another --as-of"
        }
    }
}

/// Looks purchases up in an index, for one thread.
final class EvidenceLookup {
    private let index: EvidenceIndex
    /// The number and the bytes of the last page read.
    private var page = -1
    private var bytes: [UInt8] = []
    /// The reason why a lookup failed.
    private(set) var failure: (any Error)?

    /// - Returns: `nil` if the index is empty, to save the lookups.
    init?(_ index: EvidenceIndex?) {
        guard let index, index.count > 0 else { return nil }
        self.index = index
    }

    /// Returns the same claim with the evidence about its purchases; `nil` if it does not differ from the claim's own
    /// proof.
    func amended(_ observations: ClaimObservations) -> ClaimObservations? {
        observations.amended { item, environment, onlyNews in
            guard failure == nil else { return nil }
            switch Result(catching: { try statement(of: item, in: environment, onlyNews: onlyNews) }) {
            case .success(let statement): return statement
            case .failure(let error):
                failure = error
                return nil
            }
        }
    }

    private func statement(
        of item: ExactText, in environment: ExactText, onlyNews: Bool
    ) throws -> EvidenceStatement? {
        let prefix = EvidenceStatement.prefix(of: item, in: environment)
        if onlyNews, !index.layout.filter.mayContain(prefix) { return nil }
        guard let number = index.layout.page(of: prefix) else { return nil }
        if number != page {
            let read = try index.bytes(index.layout.range(ofPage: number))
            bytes = read
            page = number
        }
        let held = bytes
        let records = held.span
        var position = 0
        while position < records.count {
            guard records.count - position > 8 else { throw RecordError.malformed }
            let found = records.bigEndian(at: position)
            position += 8
            guard let length = records.leb128(at: &position).flatMap({ Int(exactly: $0) }),
                length <= records.count - position
            else { throw RecordError.malformed }
            let end = position + length
            if found > prefix { return nil }
            if found == prefix {
                let statement = try EvidenceStatement(record: records.extracting(position..<end))
                if statement.item == item, statement.environment == environment { return statement }
            }
            position = end
        }
        return nil
    }
}
