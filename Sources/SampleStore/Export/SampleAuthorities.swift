/// Everybody who signs the receipts of an export: the store, and those who forge it. Made once, used by every thread.
public struct SampleAuthorities: Sendable {
    /// The store itself.
    public let genuine: PrivateAuthority
    /// A stranger with the same names and markers.
    public let rogue: PrivateAuthority
    /// A developer under the store's own root.
    public let developer: PrivateAuthority
    /// The store, with a leaf that ended in 2018, before any receipt of an export.
    public let expired: PrivateAuthority

    public init() throws(SigningError) {
        genuine = try PrivateAuthority()
        rogue = try .rogue()
        developer = try .developer()
        expired = try PrivateAuthority(
            leaf: .leaf.with {
                $0.serialNumber += 1
                $0.notAfter = .utc(2018)
            })
    }
}
