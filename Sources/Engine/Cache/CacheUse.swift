/// How much a run did not have to do again.
public struct CacheUse: Sendable {
    /// How many claims were in blocks that were not checked again.
    public internal(set) var cached = 0
    /// How many signatures were verified.
    public internal(set) var verified = 0
}
