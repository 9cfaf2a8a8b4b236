import Proofs
public import Rules

extension RunCache {
    /// Returns a hash of everything that the result of a block of claims depends on, except the block and the reference
    /// time: the format of records, the rule book, and what the caller adds.
    ///
    /// - Parameters:
    ///   - others: versions, trust anchors, the policy, the formats of reports.
    ///   - rules: all rules, by number.
    public static func settings(
        _ others: [String], rules: [RuleDocumentation] = RuleBook.documentation
    ) throws -> [UInt8] {
        let hasher = try ContentHasher()
        let bytes = Array(([format] + RuleBook.lines(of: rules) + others).joined(separator: "\n").utf8)
        let settings = hasher.digest(of: bytes.span).bytes
        if let failure = hasher.failure { throw failure }
        return settings
    }
}
