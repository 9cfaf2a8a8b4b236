/// A block of claims that was judged before: what came of it, as bytes that only their writer understands.
public struct LedgerBlock: Sendable {
    public let id: Int64
    public let output: [UInt8]
}
