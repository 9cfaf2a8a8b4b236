import Checks
import Encodings
import FoundationEssentials

/// Finds fake receipts from purchase-cracking tools.
struct CrackerReceipt: ClaimRule {
    static let documentation = RuleDocumentation(
        id: "cracker-receipt",
        title: "A purchase-cracking tool made this up",
        severity: .critical,
        raisedWhen: """
            the proof is not a receipt but the output of a known tool: an old-style property list with the \
            `purchase-info` of an iOS 6 receipt and one of five marks. It is unsigned; its transaction, original and \
            item ids are the same; its dates are in Europe/Copenhagen; it expires on 2099-01-01; or it names the \
            product that such tools replay for every app (`\(FabricatedReceipt.replayedProductID)`)
            """,
        why: """
            Such tools impersonate the App Store and report every purchase as paid. Their output is unsigned, or not \
            signed by Apple, and unlike anything that the App Store writes.
            """,
        whenWrong: """
            Tests of your own app or server may send mock property lists: check the sender. Genuine transaction \
            receipts of iOS 6 and earlier are property lists as well, but signed and with different ids. They are \
            never raised. Neither is JSON, plain or in base64, nor a list without `purchase-info`: honest apps send \
            StoreKit's transactions, purchases of Google Play and what NSData and NSDictionary print by mistake. A run \
            warns of them and names the fix.
            """,
        whatToDo: """
            Do not honour the claim, and check what else its account and device have sent. An honest user of a \
            tampered app can install it from the App Store and restore the purchases.
            """)

    static let examples: [RuleExample] = [
        .raised("a list without a signature", .critical, claim(list(signature: nil, purchase: ordinary))),
        .raised(
            "one id for transaction, original transaction and item", .critical,
            claim(
                list(purchase: [("transaction-id", "17"), ("original-transaction-id", "17"), ("item-id", "17")]))),
        .raised(
            "dates in Copenhagen", .critical,
            claim(list(purchase: ordinary + [("purchase-date", "2013-05-01 12:00:00 Europe/Copenhagen")]))),
        .raised(
            "expiry in 2099", .critical,
            claim(list(purchase: ordinary + [("expires-date", "2099-01-01 00:00:00 Etc/GMT")]))),
        .raised(
            "the receipt of another app that tools replay", .critical,
            claim(list(purchase: ordinary + [("product-id", "com.zeptolab.ctrbonus.superpower1")]))),
        .clear(
            "a transaction receipt of iOS 6",
            claim(list(purchase: ordinary + [("purchase-date", "2013-05-01 12:00:00 Etc/GMT")]))),
        .clear("JSON as it stands, such as a server's answer", claim(#"{"status": 21002}"#)),
        .clear("base64 of JSON", claim(base64(#"{"product_id": "gold", "status": 0}"#))),
        .clear(
            "the JSON of a StoreKit 2 transaction, where its token belongs",
            claim(base64(#"{"transactionId": "17", "originalTransactionId": "17", "bundleId": "com.example.app"}"#))),
        .clear(
            "a purchase of Google Play",
            claim(base64(#"{"orderId": "GPA.3300-0000", "packageName": "com.example.app", "purchaseToken": "aa"}"#))),
        .clear("what NSData prints instead of its bytes", claim("{length = 5000, bytes = 0x30821388 06092a86 ... }")),
        .clear("what a dictionary prints", claim("{ productIdentifier = gold; quantity = 1; }")),
        .clear(
            "what a dictionary prints of a decoded purchase",
            claim(text(of: [("product-id", "gold"), ("transaction-id", "460000000146200")]))),
        .clear("other text in base64", claim(base64("there is no receipt"))),
        .clear("a receipt", ExampleClaim()),
    ]

    private static func claim(_ stored: String) -> ExampleClaim {
        ExampleClaim(failed: [.unknownFormat], stored: stored)
    }

    private static let ordinary = [
        ("transaction-id", "170000029449420"), ("original-transaction-id", "170000029449420"),
        ("item-id", "427636432"),
    ]

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    /// Returns an old-style property list with a purchase in it.
    private static func list(signature: String? = "Akls", purchase: [(String, String)]) -> String {
        var entries = [("purchase-info", base64(text(of: purchase)))]
        if let signature { entries.insert(("signature", signature), at: 0) }
        return text(of: entries)
    }

    private static func text(of entries: [(String, String)]) -> String {
        "{\n" + entries.map { "\t\"\($0)\" = \"\($1)\";\n" }.joined() + "}"
    }

    init(_ policy: Policy) {}

    func hit(in facts: Facts) -> Hit? {
        guard let fabrication = facts.fabrication else { return nil }
        switch fabrication {
        case .unsignedPropertyList: return Hit("an unsigned property list was sent instead of a receipt")
        case .sameIdentifiers:
            return Hit("its transaction id, original transaction id and item id are the same: Apple's always differ")
        case .timeZone: return Hit("its dates are in Europe/Copenhagen: Apple's are in Etc/GMT and America/Los_Angeles")
        case .replayedProduct:
            return Hit(
                "it is the receipt of “\(FabricatedReceipt.replayedProductID)” that such tools replay for every app")
        case .farExpiry: return Hit("it expires on 2099-01-01: no subscription is sold for so long")
        }
    }
}
