/// Which tiers of a table are merged into one.
///
/// Eight of one size make one of the next, as in a log-structured merge tree: so there are never more than a few dozen, a row
/// is written anew only a few times in its life, and a large tier is left alone until there are others of its size.
struct TierPlan {
    /// So many tiers of a size are too many.
    private static let most = 8
    /// Tiers of fewer rows are all of one size.
    private static let minRows: Int64 = 4096

    /// What is merged; nothing, if there are not too many of any size.
    let merged: [Tier]

    init(_ tiers: [Tier]) {
        var merged: [Tier] = []
        var rest = tiers.map { (tier: $0, size: Self.size($0.rows)) }
        // What the tiers that are to be merged will be.
        var result: (rows: Int64, size: Int)?
        while let size = Self.tooMany(rest.map(\.size) + (result.map { [$0.size] } ?? [])) {
            // Smaller ones go with them: they cost little.
            merged += rest.filter { $0.size <= size }.map(\.tier)
            rest.removeAll { $0.size <= size }
            let rows = merged.reduce(0) { $0 &+ $1.rows }
            // It has grown, so that this comes to an end.
            result = (rows, max(Self.size(rows), size + 1))
        }
        self.merged = merged
    }

    /// The smallest size that too many tiers have.
    private static func tooMany(_ sizes: [Int]) -> Int? {
        Dictionary(grouping: sizes) { $0 }.filter { $0.value.count >= most }.keys.min()
    }

    /// The order of magnitude.
    private static func size(_ rows: Int64) -> Int {
        var (rest, size) = (rows, 0)
        while rest >= minRows { (rest, size) = (rest / Int64(most), size + 1) }
        return size
    }
}
