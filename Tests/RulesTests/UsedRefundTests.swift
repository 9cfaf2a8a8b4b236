import Checks
import Encodings
import Testing

@testable import Rules

/// Whether a finding is about a purchase that was refunded and is used nevertheless.
struct `A used refund` {
    @Test(arguments: [
        ("hidden-refund", Severity.medium, true), ("hidden-refund", .high, true),
        ("refunded-purchase", .medium, true), ("refunded-purchase", .info, false), ("repeat-refunds", .medium, false),
        ("shared-receipt", .critical, false),
    ])
    func `is asked for, or kept back`(rule: String, severity: Severity, isUsed: Bool) throws {
        let number = try #require(RuleBook.ids.firstIndex(of: ExactText(rule)))
        let finding = Finding(
            severity: severity, rule: number, subject: "transaction:1", involved: Participants(), evidence: "")
        #expect(RuleBook.isAboutUsedRefund(finding) == isUsed)
    }
}
