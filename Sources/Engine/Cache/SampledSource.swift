public import Encodings
public import Inputs

/// Some blocks of another source, each with all of its claims, picked by a hash of their place and of the date of the audit:
/// the same for one date, others for another.
public final class SampledSource: ClaimSource {
    private let source: any ClaimSource
    private let share: Double
    private let seed: UInt64
    private var number: UInt64 = 0
    /// How many claims were left out.
    public private(set) var leftOut = 0

    /// The first blocks are always picked, so that a small input is not left out altogether.
    private static let alwaysPicked: UInt64 = 16

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
            defer { number += 1 }
            // 53 bits are what a Double has.
            let place = Double(stableMix(seed ^ number) >> 11) / Double(1 << 53 as UInt64)
            if number < Self.alwaysPicked || place < share { return block }
            leftOut += block.count
        }
        return nil
    }
}
