public import Encodings

/// A run as a ledger remembers it.
public struct LedgerRun: Sendable, Equatable {
    /// Counts up from 1; 0 until the run is committed.
    public internal(set) var id: Int64 = 0
    /// The time that the run was made for.
    public var asOf: Instant
    public var inputs: [String]
    public var claims: Int
    public var valid: Int
    /// How many claims are not valid, for whatever reason.
    public var invalid: Int
    /// A digest of all that claims were judged by, and one of what was judged. Only their writer understands them.
    public var settings: [UInt8]
    public var blocks: [UInt8]
    /// Whether the run saw all there was, so that what it did not find is resolved.
    public var coversAll: Bool
    /// Whether its reports were put in place.
    public internal(set) var isPublished = false
    /// How many findings of each severity it has.
    public internal(set) var findings: [UInt8: Int] = [:]

    public init(
        asOf: Instant, inputs: [String], claims: Int, valid: Int, invalid: Int, settings: [UInt8], blocks: [UInt8],
        coversAll: Bool
    ) {
        self.asOf = asOf
        self.inputs = inputs
        self.claims = claims
        self.valid = valid
        self.invalid = invalid
        self.settings = settings
        self.blocks = blocks
        self.coversAll = coversAll
    }
}
