import FoundationEssentials

/// What examples send in place of a receipt.
extension CrackerReceipt {
    static let ordinary = [
        ("transaction-id", "170000029449420"), ("original-transaction-id", "170000029449420"),
        ("item-id", "427636432"),
    ]

    static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    /// An old-style property list with a purchase in it.
    static func list(signature: String? = "Akls", purchase: [(String, String)]) -> String {
        var entries = [("purchase-info", base64(text(of: purchase)))]
        if let signature { entries.insert(("signature", signature), at: 0) }
        return text(of: entries)
    }

    private static func text(of entries: [(String, String)]) -> String {
        "{\n" + entries.map { "\t\"\($0)\" = \"\($1)\";\n" }.joined() + "}"
    }
}
