public import Encodings

/// A made-up export of a receipt service: a number of claims, a share of them forged, a share of them with tokens.
///
/// Every claim is a pure function of its index and of the export's arguments, so claims can be made in any order, by
/// any number of threads, and always have the same bytes. The positions of the planted clusters depend on the number of
/// claims; all other claims are the same in larger exports, except that a token may belong to the person of the
/// previous claim only if that is not planted.
public struct SampleExport: Sendable {
    /// The reference time of samples: no receipt is later.
    public static let asOf = Instant.utc(2026, 6, 30)

    public let count: Int
    public let seed: UInt64
    /// The share of forged claims, from 0 to 1. They are spread evenly, over the claims and over the kinds.
    public let forgeryShare: Double
    /// The share of claims that belong to planted clusters, from 0 to 1; whole clusters only.
    public let plantShare: Double
    /// The share of tokens among honest claims since StoreKit 2, from 0 to 1.
    public let tokenShare: Double
    public let authorities: SampleAuthorities
    private let forgeriesPerMillion: Int
    let tokensPerMillion: Int
    let layout: PlantLayout

    public init(
        count: Int, seed: UInt64, forgeryShare: Double = 0.1, plantShare: Double = 0, tokenShare: Double = 0
    ) throws(SigningError) {
        self.count = max(count, 0)
        self.seed = seed
        self.forgeryShare = forgeryShare > 0 ? min(forgeryShare, 1) : 0
        self.plantShare = plantShare > 0 ? min(plantShare, 1) : 0
        self.tokenShare = tokenShare > 0 ? min(tokenShare, 1) : 0
        tokensPerMillion = Int((self.tokenShare * 1_000_000).rounded())
        forgeriesPerMillion = Int((self.forgeryShare * 1_000_000).rounded())
        let forged = Self.part(of: self.count, perMillion: forgeriesPerMillion)
        let planted = Self.part(of: self.count, perMillion: Int((self.plantShare * 1_000_000).rounded()))
        layout = PlantLayout(honest: self.count - forged, budget: planted)
        authorities = try SampleAuthorities()
    }

    /// The trust anchors in PEM, that of receipts and that of tokens: the contents of `root.cer`.
    public var root: [UInt8] { authorities.roots }

    /// Makes one claim.
    public func claim(at index: Int) throws(SigningError) -> SampleClaim {
        if let member = plantedMember(at: index) {
            return try cluster(member.cluster).claim(member.number, by: authorities)
        }
        if let forgery = forgery(at: index) {
            let draft = ClaimDraft(index: index, seed: seed, asOf: Self.asOf)
            return try forgery.claim(from: draft, by: authorities, seed: seed)
        }
        let draft = honestDraft(at: index)
        return SampleClaim(
            index: index, row: draft.row,
            file: SampleFile(path: draft.row.file, bytes: try draft.file(by: authorities)), truth: .genuine)
    }

    /// Returns how a claim is forged; `nil` if it is genuine.
    ///
    /// The kinds take turns, in an order in which neighbours have little in common. Only the first turn has the file of
    /// 8 MiB; in later ones another kind replaces it.
    public func forgery(at index: Int) -> Forgery? {
        let ordinal = forgeries(before: index)
        guard forgeries(before: index + 1) > ordinal else { return nil }
        let kinds = Forgery.ofExports
        let (turn, position) = ordinal.quotientAndRemainder(dividingBy: kinds.count)
        let kind = kinds[(position * 8 + Int(seed % UInt64(kinds.count))) % kinds.count]
        guard kind == .receiptUnreadable, turn > 0 else { return kind }
        let others = kinds.filter { $0 != .receiptUnreadable }
        return others[turn % others.count]
    }

    /// Returns the pattern planted at an index; `nil` if there is none.
    public func plant(at index: Int) -> Plant? {
        plantedMember(at: index).map { PlantLayout.plant(of: $0.cluster) }
    }

    /// Returns the number of forged claims before this index.
    func forgeries(before index: Int) -> Int { Self.part(of: index, perMillion: forgeriesPerMillion) }

    /// Returns a share of a number, in integers, so that it is exact on every machine.
    private static func part(of number: Int, perMillion share: Int) -> Int {
        let (millions, rest) = number.quotientAndRemainder(dividingBy: 1_000_000)
        return millions * share + rest * share / 1_000_000
    }
}

extension SampleExport {
    /// Drafts a cluster, by its number.
    func cluster(_ number: Int) -> PlantedCluster {
        PlantedCluster(
            PlantLayout.plant(of: number), turn: PlantLayout.turn(of: number), number: number,
            indices: layout.places(of: number).map(honestIndex), seed: seed)
    }

    /// Returns the cluster of a claim, and the number of the claim in it.
    func plantedMember(at index: Int) -> PlantLayout.Member? {
        guard (0..<count).contains(index), forgery(at: index) == nil else { return nil }
        return layout.member(at: index - forgeries(before: index))
    }

    /// Returns the index of a claim that is not forged, by its place among those.
    private func honestIndex(at place: Int) -> Int {
        var (low, high) = (place, count)
        while low < high {
            let middle = low + (high - low) / 2
            if middle + 1 - forgeries(before: middle + 1) > place { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
