import Checks
import Files
import Rules
import Sorting
import Synchronization

/// Joins the rows of claims with the findings about them, and writes them in claim order.
struct RowJoin {
    private let mapped: MappedClaims
    private let found: FoundFindings
    private let encoders: [RowEncoder]
    private let notices: FindingNotices
    /// The links of all claims; `nil` if they are not wanted. The encoder of their facts is the last one.
    let links: LinkSorter?
    private let pipeline: OrderedPipeline

    init(
        _ mapped: MappedClaims, _ found: FoundFindings, encoders: [RowEncoder], _ notices: FindingNotices,
        links: LinkSorter?, _ pipeline: OrderedPipeline
    ) {
        self.mapped = mapped
        self.found = found
        self.encoders = encoders
        self.notices = notices
        self.links = links
        self.pipeline = pipeline
    }

    /// Writes the rows of all encoders: first those that wait for the findings, then the others. Sorts the links.
    func writeRows(
        isStopped: @escaping @Sendable () -> Bool, _ write: (Int, Span<UInt8>) throws -> Void
    ) throws {
        let own = links == nil ? encoders[...] : encoders.dropLast()
        try writeJoinedRows(of: own, isStopped: isStopped, write)
        try addEarlierLinks(isStopped)
        for (format, encoder) in own.enumerated() {
            guard let encoder = encoder.complete else { continue }
            let write = { (rows: Span<UInt8>) throws in
                if isStopped() { throw Interrupted() }
                try write(format, rows)
            }
            if let addParts = encoder.addParts {
                try writeAnswers(of: format, addParts, write)
            } else {
                try mapped.spool.forEachPiece(of: format, write)
            }
        }
    }

    private func writeJoinedRows(
        of own: ArraySlice<RowEncoder>, isStopped: @escaping @Sendable () -> Bool,
        _ write: (Int, Span<UInt8>) throws -> Void
    ) throws {
        let source = Mutex(try MarkedRows(mapped.spool, ClaimMarks(found.marks, notices)))
        let withLinks = links != nil
        let placeholders = mapped.tally.accounts.placeholders
        let places = own.indices.filter { own[$0].joined != nil }
        let joined = own.compactMap(\.joined)
        try pipeline.run(
            isStopped: isStopped,
            next: { try source.withLock { try $0.next() } },
            makeLoader: { { (_: inout MarkedBlock) in false } },
            makeWorker: {
                { (block: inout MarkedBlock) in
                    let links = withLinks ? try block.rows.removeLast().links(of: block.claims, placeholders) : []
                    return (block.joined(with: joined), links)
                }
            },
            write: { (block: ([[UInt8]], [LinkRow])) in
                for (place, rows) in zip(places, block.0) { try write(place, rows.span) }
                for link in block.1 { try links?.add(link) }
            })
    }

    /// Writes rows with the facts of all proofs about the receipts.
    private func writeAnswers(
        of format: Int, _ addParts: @escaping CompleteRowEncoder.AddParts, _ write: (Span<UInt8>) throws -> Void
    ) throws {
        var claims = mapped.spool.claims(of: format)
        var rows = try AnsweredRows(found.answers, addParts)
        try mapped.spool.forEachPiece(of: format) { piece in
            try rows.take(piece, nextClaim: { try claims.next() }, write)
        }
    }

    /// Adds the links of claims of earlier runs, which have no rows.
    private func addEarlierLinks(_ isStopped: () -> Bool) throws {
        guard let links else { return }
        var marks = try RunMerge(found.earlierMarks)
        var facts = try RunMerge(found.earlierFacts)
        while !marks.isAtEnd {
            if isStopped() { throw Interrupted() }
            let marked: Keyed<ClaimID, Mark> = try marks.value()
            var shown: LinkFacts?
            while !facts.isAtEnd, shown == nil {
                let next: Keyed<ClaimID, LinkFacts> = try facts.value()
                guard next.key <= marked.key else { break }
                if next.key == marked.key { shown = next.value } else { try facts.advance() }
            }
            // A claim without facts was not loaded, so it is not a claim of an earlier run.
            guard let shown else { throw RecordError.malformed }
            var joined = MarkedClaim(claim: .last)
            joined.add(marked.value, notices)
            for mark in joined.marks { try links.add(LinkRow(mark, shown, claim: .last)) }
            try marks.advance()
        }
    }
}
