public import Encodings

/// A made-up export of a receipt service: so many claims, a share of them forged.
///
/// Every claim is a pure function of the seed and its index, so claims can be made in
/// any order, by any number of threads, and are the same bytes each time.
public struct SampleExport: Sendable {
    /// The instant that samples are made for: no receipt is younger.
    public static let asOf = Instant.utc(2026, 6, 30)

    public let count: Int
    public let seed: UInt64
    /// The share of forged claims, from 0 to 1. They are spread evenly, over the claims and over the kinds.
    public let forgeryShare: Double
    public let authorities: SampleAuthorities
    private let forgeriesPerMillion: Int

    public init(count: Int, seed: UInt64, forgeryShare: Double = 0.1) throws(SigningError) {
        self.count = count
        self.seed = seed
        self.forgeryShare = forgeryShare > 0 ? min(forgeryShare, 1) : 0
        forgeriesPerMillion = Int((self.forgeryShare * 1_000_000).rounded())
        authorities = try SampleAuthorities()
    }

    /// The trust anchor in DER: the contents of `root.cer`.
    public var root: [UInt8] { authorities.genuine.root.certificate }

    /// Makes one claim.
    public func claim(at index: Int) throws(SigningError) -> SampleClaim {
        let draft = ClaimDraft(index: index, seed: seed, asOf: Self.asOf)
        if let forgery = forgery(at: index) {
            return try forgery.claim(from: draft, by: authorities, seed: seed)
        }
        let container = try authorities.genuine.receipt(draft.receipt, digest: draft.digest)
        return SampleClaim(
            index: index, row: draft.row, file: SampleFile(path: draft.row.file, bytes: draft.encoded(container)),
            truth: .genuine)
    }

    /// How a claim is forged; `nil` if it is genuine.
    ///
    /// The kinds take turns, in an order in which neighbours have little in common. Only the first
    /// turn has the file of 8 MiB; later ones pass it on.
    public func forgery(at index: Int) -> Forgery? {
        let ordinal = forgeries(before: index)
        guard forgeries(before: index + 1) > ordinal else { return nil }
        let kinds = Forgery.allCases
        let (turn, position) = ordinal.quotientAndRemainder(dividingBy: kinds.count)
        let kind = kinds[(position * 8 + Int(seed % UInt64(kinds.count))) % kinds.count]
        guard kind == .receiptUnreadable, turn > 0 else { return kind }
        let others = kinds.filter { $0 != .receiptUnreadable }
        return others[turn % others.count]
    }

    /// How many of the claims before this index are forged. In whole numbers, so that it is exact on every machine.
    private func forgeries(before index: Int) -> Int {
        let (millions, rest) = index.quotientAndRemainder(dividingBy: 1_000_000)
        return millions * forgeriesPerMillion + rest * forgeriesPerMillion / 1_000_000
    }
}
