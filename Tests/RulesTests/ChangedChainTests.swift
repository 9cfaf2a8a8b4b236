import Encodings
import Receipts
import Testing

@testable import Rules

/// Evidence about a chain of purchases: that another took its place, and which account it is for.
struct `Evidence about a chain` {
    private static let cancelled = "2026-02-10T12:00:00Z"

    /// The rules that find something in a claim of gold that was taken back, together with a token of a bundle.
    private func found(
        began: String, type: ExactText? = nil, reason: Int? = nil, names previous: ExactText = "460000000000001",
        isReceipt: Bool = false
    ) throws -> Set<ExactText> {
        let gold = ExamplePurchase(
            expires: "2026-03-01", refunded: Self.cancelled, refundType: type, refundReason: reason)
        let claim = ExampleClaim(
            product: "gold", presented: "2026-02-20", receipt: ExampleReceipt(1, created: "2026-02-15", gold),
            token: isReceipt ? nil : ExampleToken(1, signed: "2026-02-15", gold))
        let bundle = ExampleToken(
            2, signed: "2026-02-16", isBound: false,
            ExamplePurchase(
                "all", "460000000000009", of: "460000000000008", bought: "2026-03-08", originallyBought: began,
                expires: "2026-04-08", previousOriginal: previous))
        let run = InMemoryRun(
            claims: [claim.facts(at: 0)], told: [ExampleClaim(device: "", token: bundle).facts(at: 1)])
        return Set(try run.findings().map(\.ruleID))
    }

    @Test(arguments: ["2026-02-09T12:00:00Z", "2026-02-10T12:00:00Z", "2026-02-11T12:00:00Z"])
    func `means that nothing was refunded, if another took its place within a day`(began: String) throws {
        for isReceipt in [false, true] {
            #expect(try found(began: began, isReceipt: isReceipt) == [])
        }
        #expect(try found(began: began, reason: 0) == [])
        #expect(try found(began: began, type: "REFUND_PRORATED", reason: 1) == [])
        #expect(try found(began: began, type: "REFUND_FULL") == [])
    }

    @Test func `says nothing of a refund in full for a reason that buyers give`() throws {
        #expect(try found(began: Self.cancelled, type: "REFUND_FULL", reason: 0) == ["refunded-purchase"])
    }

    @Test func `says nothing of other chains, or of another day`() throws {
        #expect(try found(began: Self.cancelled, names: "460000000000007") == ["refunded-purchase"])
        for began in ["2026-02-09T11:59:59Z", "2026-02-11T12:00:01Z"] {
            #expect(try found(began: began) == ["refunded-purchase"])
        }
    }

    private static let (former, now): (ExactText, ExactText) = (
        "0a5c9b0e-7e0c-4c5b-9d53-2f8c8e0d0a01", "0A5C9B0E-7E0C-4C5B-9D53-2F8C8E0D0B02"
    )

    /// Whether a claim of the account that has the purchase now is found, together with a token of evidence.
    private func isFound(
        _ kind: Token.Kind = .transaction, told: Token.Kind = .transaction, signed: String = "2026-03-02",
        to account: ExactText = now, of original: ExactText = "460000000000001"
    ) throws -> Bool {
        let claim = ExampleClaim(
            accountToken: Self.now, token: ExampleToken(kind: kind, accountToken: Self.former, ExamplePurchase()))
        let token = ExampleToken(
            2, kind: told, signed: signed, accountToken: account, isBound: false,
            ExamplePurchase("gold", "460000000000002", of: original))
        let run = InMemoryRun(
            claims: [claim.facts(at: 0)], told: [ExampleClaim(device: "", token: token).facts(at: 1)])
        return try run.findings().contains { $0.ruleID == "account-token-mismatch" }
    }

    @Test(arguments: [Token.Kind.transaction, .renewalInfo], [Token.Kind.transaction, .renewalInfo])
    func `shows that a token's account was changed later`(kind: Token.Kind, told: Token.Kind) throws {
        #expect(try !isFound(kind, told: told))
    }

    @Test func `does not show it if it is not newer, or of another account or chain`() throws {
        #expect(try isFound(signed: "2026-03-01"))
        #expect(try isFound(to: Self.former))
        #expect(try isFound(of: "460000000000003"))
    }
}
