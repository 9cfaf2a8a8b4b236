import Encodings
import Files
import Receipts
import Rules
import Sorting
public import Subscriptions

/// Facts from other proofs of a run about a claim's receipt: a part of verifyReceipt's answer.
public enum AnswerPart: Equatable, Sendable {
    /// An element of `latest_receipt_info`.
    case transaction(ProvenTransaction)
    /// An element of `pending_renewal_info`.
    case renewal(ProvenRenewal)
}

extension AnswerPart: Recorded {
    /// Returns the parts of one original transaction as records that sort within a claim: transactions first, the
    /// latest purchase first.
    static func records(of latest: LatestTransactions) -> [[UInt8]] {
        let parts = latest.transactions.map(AnswerPart.transaction) + (latest.renewal.map { [.renewal($0)] } ?? [])
        return parts.map { part in
            var record = RecordWriter()
            var part = part
            part.code(&record)
            return record.bytes
        }
    }

    package static var unread: AnswerPart {
        .transaction(ProvenTransaction(.unread, provenAt: Instant(milliseconds: 0), digest: []))
    }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        var isRenewal: Bool
        if case .renewal = self { isRenewal = true } else { isRenewal = false }
        try coder.bool(&isRenewal)
        if isRenewal {
            var told = ProvenRenewal("", Token.RenewalInfo(), provenAt: Instant(milliseconds: 0), digest: [])
            if case .renewal(let written) = self { told = written }
            try coder.sortable(&told.originalTransactionID)
            try told.renewal.code(&coder)
            try coder.instant(&told.provenAt)
            try coder.octets(&told.digest)
            self = .renewal(told)
        } else {
            var told = ProvenTransaction(.unread, provenAt: Instant(milliseconds: 0), digest: [])
            if case .transaction(let written) = self { told = written }
            // Later dates sort first.
            var order = UInt64(bitPattern: ~told.purchase.purchaseDate.milliseconds) ^ 1 << 63
            try coder.sortable(&order)
            var id = told.purchase.transactionID
            try coder.sortable(&id)
            told.purchase.transactionID = id
            try told.purchase.code(&coder, after: "", underTransaction: id)
            try coder.instant(&told.provenAt)
            try coder.octets(&told.digest)
            self = .transaction(told)
        }
    }
}

/// Reads the parts of answers in the order of claims.
struct ClaimAnswers {
    private var merge: RunMerge

    init(_ runs: [SortedRun]) throws(FileError) { merge = try RunMerge(runs) }

    /// Returns the parts of a claim's answer: the latest purchases, up to a limit, and renewals. Claims must be
    /// requested in order.
    mutating func parts(of claim: ClaimNumber) throws -> [AnswerPart] {
        var parts: [AnswerPart] = []
        var transactions = 0
        while !merge.isAtEnd, merge.prefix <= claim.rawValue {
            if merge.prefix == claim.rawValue {
                let part: AnswerPart = try merge.value()
                if case .transaction = part { transactions += 1 }
                if parts.count < 2 * LatestTransactions.maxTransactions,
                    transactions <= LatestTransactions.maxTransactions || !part.isTransaction
                {
                    parts.append(part)
                }
            }
            try merge.advance()
        }
        return parts
    }
}

extension AnswerPart {
    fileprivate var isTransaction: Bool { if case .transaction = self { true } else { false } }
}

/// Adds parts of answers to rows: lines, one for each of the given claims, in order.
struct AnsweredRows {
    private var answers: ClaimAnswers
    private let add: CompleteRowEncoder.AddParts
    private var line: [UInt8] = []

    init(_ runs: [SortedRun], _ add: @escaping CompleteRowEncoder.AddParts) throws(FileError) {
        answers = try ClaimAnswers(runs)
        self.add = add
    }

    /// Reads bytes of rows, and calls a body with each complete row and its parts.
    ///
    /// - Parameter nextClaim: returns the number of the claim of the next row.
    mutating func take(
        _ bytes: Span<UInt8>, nextClaim: () throws -> ClaimNumber, _ body: (Span<UInt8>) throws -> Void
    ) throws {
        var start = 0
        while let end = bytes.firstIndex(of: 0x0a, from: start) {
            line.append(copying: bytes.extracting(start...end))
            let parts = try answers.parts(of: try nextClaim())
            var row: [UInt8] = []
            add(line.span, parts, &row)
            try body(row.span)
            line.removeAll(keepingCapacity: true)
            start = end + 1
        }
        line.append(copying: bytes.extracting(start...))
    }
}

extension Span<UInt8> {
    fileprivate func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        var index = start
        while index < count {
            if self[index] == byte { return index }
            index += 1
        }
        return nil
    }
}
