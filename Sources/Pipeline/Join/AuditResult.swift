import Files
public import Rules
import Sorting
public import Subscriptions

/// What a run has found: counts, and tables that are written row by row.
public final class AuditResult {
    public let tally: Tally
    public let breakdown: Breakdown
    public let figures: SubscriptionFigures
    public private(set) var findingTally: FindingTally

    private let judged: JudgedClaims
    private let found: FoundFindings
    private let encoders: [RowEncoder]
    private let isStopped: () -> Bool
    private let rings: RingMarks
    private var ringFindings: [SortedRun] = []
    private let storage: Storage
    private let rules: RuleSet

    init(
        _ judged: JudgedClaims, _ found: FoundFindings, encoders: [RowEncoder], rules: RuleSet, storage: Storage,
        isStopped: @escaping () -> Bool
    ) throws {
        tally = judged.tally
        findingTally = found.tally
        breakdown = found.breakdown
        figures = found.figures
        self.judged = judged
        self.found = found
        self.encoders = encoders
        self.isStopped = isStopped
        self.storage = storage
        self.rules = rules
        rings = RingMarks(found.joining, rules: rules)
        try settleRings()
    }

    /// Counts the claims of each ring, which only now are known, and makes findings of them.
    private func settleRings() throws {
        guard !rings.isEmpty else { return }
        var marks = try ClaimMarks(found.marks, rings)
        while let claim = try marks.next() {
            if isStopped() { throw Interrupted() }
            rings.count(claim)
        }
        let store = WorkerStore(
            rules, asOf: figures.asOf, number: 0, storage: storage.divided(by: 4))
        for finding in rings.findings { _ = try store.note(finding) }
        ringFindings = try store.finishFindings()
        findingTally += store.tally
    }

    /// Writes the table `receipts` in all formats, in claim order.
    ///
    /// - Parameter write: takes the next rows, with the number of the format's encoder.
    public func writeReceipts(_ write: (Int, Span<UInt8>) throws -> Void) throws {
        var marks = try ClaimMarks(found.marks, rings)
        var marked = try marks.next()
        var blocks = RowSpool.Reader(judged.spool)
        var output: [UInt8] = []
        while let block = try blocks.next() {
            if isStopped() { throw Interrupted() }
            var claims: [MarkedClaim] = []
            while let claim = marked, claim.claim >> 16 == block.number {
                claims.append(claim)
                marked = try marks.next()
            }
            for (format, rows) in block.rows.enumerated() {
                guard !claims.isEmpty else {
                    try write(format, rows.bytes.span)
                    continue
                }
                output.removeAll(keepingCapacity: true)
                rows.write(with: claims, encoders[format], to: &output)
                try write(format, output.span)
            }
        }
    }

    /// Goes through the table `fraud`: worst first, then by rule, then by subject.
    public func forEachFinding(_ body: (FindingRow) throws -> Void) throws {
        var merge = try RunMerge(found.findings + ringFindings)
        while !merge.isAtEnd {
            if isStopped() { throw Interrupted() }
            try body(merge.withRecord { FindingRecord.row(of: $0) })
            try merge.advance()
        }
    }
}

extension AuditResult {
    /// Goes through the table `subscriptions`, by original transaction id.
    public func forEachSubscription(_ body: (SubscriptionRow) throws -> Void) throws {
        var merge = try RunMerge(found.subscriptions)
        while !merge.isAtEnd {
            if isStopped() { throw Interrupted() }
            try body(merge.withRecord { SubscriptionRecord.row(of: $0) })
            try merge.advance()
        }
    }
}

extension EncodedRows {
    /// Writes the rows with what was found of some of the claims.
    func write(with claims: [MarkedClaim], _ encoder: RowEncoder, to output: inout [UInt8]) {
        var start = 0
        for claim in claims {
            let cells = self.cells[Int(claim.claim & 0xffff)]
            output.append(copying: bytes.span.extracting(start..<cells))
            encoder.fill(claim.risk, claim.rules.ids, &output)
            start = cells + encoder.emptyLength
        }
        output.append(copying: bytes.span.extracting(start...))
    }
}
