import Encodings

/// Where claims come from, in their order, in blocks.
///
/// One thread at a time may ask for the next block. What is slow and can be done elsewhere is left to
/// ``ClaimLoader`` and ``ClaimDecoder``.
public protocol ClaimSource: AnyObject {
    /// The next block, or `nil` at the end.
    func next() throws(InputError) -> ClaimBlock?

    /// What has been left out so far.
    var omissions: Omissions { get }

    /// How much of the input has been read, from 0 to 1, if that is known.
    var fraction: Double? { get }
}

/// What inputs held that is no claim.
public struct Omissions: Sendable {
    public var skipped = SkippedEntries()
    /// Columns and keys that mean nothing to us, in the order in which they were met.
    public var unknownColumns: [String] = []
    /// Where inputs are damaged: the first hundred places, in the order of claims.
    public private(set) var damages: [InputDamage] = []
    /// How many such places there are.
    public private(set) var damageCount = 0

    public init() {}

    static func + (first: Omissions, second: Omissions) -> Omissions {
        var sum = first
        sum.skipped += second.skipped
        sum.add(unknownColumns: second.unknownColumns)
        for damage in second.damages { sum.add(damage) }
        sum.damageCount = first.damageCount + second.damageCount
        return sum
    }

    mutating func add(_ damage: InputDamage) {
        damageCount += 1
        if damages.count < 100 { damages.append(damage) }
    }

    package mutating func add(unknownColumns names: [String]) {
        // A stranger's file may have any number of them.
        for name in names where unknownColumns.count < LeastNames.most {
            if !unknownColumns.contains(where: { $0.hasSameBytes(as: name) }) { unknownColumns.append(name) }
        }
    }
}
