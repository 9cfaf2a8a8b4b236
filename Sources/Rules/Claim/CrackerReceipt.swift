public import Checks
import Encodings

/// What a purchase-cracking tool made up.
public struct CrackerReceipt: ClaimRule {
    public static let documentation = RuleDocumentation(
        id: "cracker-receipt",
        title: "A purchase-cracking tool made this up",
        severity: .critical,
        raisedWhen: """
            what was sent is no receipt, but what a known tool writes: base64 of JSON; an old-style property list that \
            nobody signed; or one whose transaction id, original id and item id are the same, whose dates are in \
            Europe/Copenhagen, or which expires on 2099-01-01
            """,
        why: """
            Such tools answer the app in the App Store's place and report every purchase as paid. What they send is not \
            signed, or not by Apple, and it looks like nothing that the App Store writes.
            """,
        whenWrong: """
            Tests of your own app or server may send made-up JSON or lists: look at who sent it. Genuine transaction \
            receipts of iOS 6 and before are such lists too, but signed and with ids that differ; they are never raised. An \
            app that sends other JSON than receipts in this place, in base64, would be raised each time.
            """,
        whatToDo: """
            Do not honour the claim, and look at what else its account and device sent in. An honest user of an app that \
            somebody else tampered with can install it from the App Store and restore the purchases.
            """)

    public static let examples: [RuleExample] = [
        .raised(
            "base64 of JSON", .critical,
            ExampleClaim(failed: [.unknownFormat], stored: base64(#"{"product_id": "gold", "status": 0}"#))),
        .raised(
            "a list without a signature", .critical,
            ExampleClaim(failed: [.unknownFormat], stored: list(signature: nil, purchase: ordinary))),
        .raised(
            "one id for transaction, original transaction and item", .critical,
            ExampleClaim(
                failed: [.unknownFormat],
                stored: list(
                    purchase: [
                        ("transaction-id", "17"), ("original-transaction-id", "17"), ("item-id", "17"),
                    ]))),
        .raised(
            "dates in Copenhagen", .critical,
            ExampleClaim(
                failed: [.unknownFormat],
                stored: list(purchase: ordinary + [("purchase-date", "2013-05-01 12:00:00 Europe/Copenhagen")]))),
        .raised(
            "expiry in 2099", .critical,
            ExampleClaim(
                failed: [.unknownFormat],
                stored: list(purchase: ordinary + [("expires-date", "2099-01-01 00:00:00 Etc/GMT")]))),
        .clear(
            "a transaction receipt of iOS 6",
            ExampleClaim(
                failed: [.unknownFormat],
                stored: list(purchase: ordinary + [("purchase-date", "2013-05-01 12:00:00 Etc/GMT")]))),
        .clear(
            "JSON as it stands, such as a server's answer",
            ExampleClaim(failed: [.unknownFormat], stored: #"{"status": 21002}"#)),
        .clear("other text in base64", ExampleClaim(failed: [.unknownFormat], stored: base64("there is no receipt"))),
        .clear("a receipt", ExampleClaim()),
    ]

    public init(_ policy: Policy) {}

    public func hit(in facts: Facts) -> Hit? {
        guard let madeUp = facts.madeUp else { return nil }
        switch madeUp {
        case .json: return Hit("base64 of JSON was sent in place of a receipt")
        case .unsignedPropertyList: return Hit("a property list was sent in place of a receipt, and nobody signed it")
        case .sameIdentifiers:
            return Hit("its transaction id, original transaction id and item id are the same: Apple's always differ")
        case .timeZone: return Hit("its dates are in Europe/Copenhagen: Apple's are in Etc/GMT and America/Los_Angeles")
        case .farExpiry: return Hit("it expires on 2099-01-01: no subscription is sold for so long")
        }
    }
}
