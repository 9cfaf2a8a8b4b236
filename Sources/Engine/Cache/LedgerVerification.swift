import Checks
public import Encodings
public import Inputs
public import Ledgers
import Rules

/// The comparison of a ledger with another that was made from the same inputs, without reading the first.
public struct LedgerVerification: Sendable {
    public let comparison: LedgerComparison
    /// How many blocks of the kept ledger hold for other dates only, and were not compared.
    public let otherDates: Int
    /// What the first differences are, each a sentence for people.
    public let differences: [String]

    private static let maxDifferences = 10

    /// - Parameters:
    ///   - new: the path of the ledger that was made anew.
    ///   - kept: the path of the other one.
    ///   - asOf: the date that the new one was made for.
    ///   - formats: in how many formats rows were written.
    public init(of new: String, with kept: String, asOf: Instant, formats: Int) throws(LedgerError) {
        var otherDates = 0
        var differences: [String] = []
        comparison = try LedgerComparison(
            of: new, with: kept,
            isSame: { new, kept in
                switch BlockComparison(new: new, kept: kept, asOf: asOf, formats: formats) {
                case .same: return true
                case .otherDate:
                    otherDates += 1
                    return nil
                case .different(let text):
                    if differences.count < Self.maxDifferences { differences.append(text) }
                    return false
                }
            },
            onSignature: { digest, holds in
                guard differences.count < Self.maxDifferences else { return }
                let name = Hex.string(digest.span.extracting(first: min(8, digest.count)))
                differences.append(
                    "signature \(name)…: stored as \(holds ? "invalid, but it is valid" : "valid, but it is invalid")"
                )
            })
        self.otherDates = otherDates
        self.differences = differences
    }
}

/// What the records of two blocks with one key have in common.
enum BlockComparison: Equatable {
    case same
    /// The kept one holds for other dates only.
    case otherDate
    /// They say different things: which, for people.
    case different(String)

    init(new: [UInt8], kept: [UInt8], asOf: Instant, formats: Int) {
        if new == kept {
            self = .same
            return
        }
        guard let first = BlockReplay(new.span, asOf: asOf, formats: formats) else {
            self = .different("a block: its new record cannot be read")
            return
        }
        guard BlockReplay.isTrue(kept.span, asOf: asOf) else {
            self = .otherDate
            return
        }
        guard let other = BlockReplay(kept.span, asOf: asOf, formats: formats) else {
            self = .different("\(first.title): the stored record cannot be read")
            return
        }
        self = Self.compare(first, other)
    }

    private static func compare(_ new: BlockReplay, _ kept: BlockReplay) -> BlockComparison {
        let (valid, stored) = (new.tally.verdicts[.valid], kept.tally.verdicts[.valid])
        if valid != stored {
            return .different(
                "\(new.title): \(stored) of \(kept.tally.claims) claims stored as valid, \(valid) are valid")
        }
        for (row, other) in zip(new.rows, kept.rows) where !row.ends.isEmpty && !other.ends.isEmpty {
            // Pages have rows of the first claims alone: there are none where a block stood further down.
            if row.bytes != other.bytes || row.ends != other.ends || row.cells != other.cells {
                return .different("\(new.title): the stored rows differ")
            }
        }
        return new.hasSameFacts(as: kept) ? .same : .different("\(new.title): the stored facts differ")
    }
}

extension BlockReplay {
    /// The block by the first of its claims.
    fileprivate var title: String { "block of \(tally.claims) claims" + (name.isEmpty ? "" : " with \(name)") }
}

/// Some blocks of another source, each with all of its claims, picked by a hash of their place and of the date of the audit:
/// the same for one date, others for another.
public final class SampledSource: ClaimSource {
    private let source: any ClaimSource
    private let share: Double
    private let seed: UInt64
    private var number: UInt64 = 0
    private var claims = 0
    /// How many claims were left out.
    public private(set) var leftOut = 0

    /// The number of claims whose blocks are always picked, so that a small input is not left out altogether.
    private static let alwaysPicked = 2048

    /// - Parameter share: how much of the source is picked, from 0 to 1.
    public init(_ source: any ClaimSource, share: Double, asOf: Instant) {
        self.source = source
        self.share = share
        seed = stableMix(UInt64(bitPattern: asOf.milliseconds))
    }

    public var omissions: Omissions { source.omissions }
    public var fraction: Double? { source.fraction }

    public func next() throws(InputError) -> ClaimBlock? {
        while let block = try source.next() {
            defer { (number, claims) = (number + 1, claims + block.count) }
            // 53 bits are what a Double has.
            let place = Double(stableMix(seed ^ number) >> 11) / Double(1 << 53 as UInt64)
            if claims < Self.alwaysPicked || place < share { return block }
            leftOut += block.count
        }
        return nil
    }
}
