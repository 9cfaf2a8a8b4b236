import Encodings

extension PayloadFields {
    /// The bodies of notifications that name their app, the most specific last.
    private static let bodies: [ExactText] = ["externalPurchaseToken", "appData", "summary", "data"]

    /// Reads the app and environment of a notification from its body, whatever its name. Unknown bodies that disagree
    /// are ignored.
    mutating func readBody(of payload: PayloadValue) {
        for name in Self.bodies {
            guard let body = payload[name], body.kind == .object else { continue }
            let isToken = name == "externalPurchaseToken"
            token.bundleID = body.string("bundleId") ?? token.bundleID
            token.environment = (isToken ? body.environmentOfToken : body.string("environment")) ?? token.environment
        }
        guard token.bundleID == nil || token.environment == nil else { return }
        var (bundles, environments): (Set<ExactText>, Set<ExactText>) = ([], [])
        payload.forEachObject { name, body in
            guard !Self.bodies.contains(name) else { return }
            if let bundle = body.string("bundleId") { bundles.insert(bundle) }
            if let environment = body.string("environment") { environments.insert(environment) }
        }
        if token.bundleID == nil, bundles.count == 1 { token.bundleID = bundles.first }
        if token.environment == nil, environments.count == 1 { token.environment = environments.first }
    }
}

extension Token.Notification {
    /// The signing date for a notification without one, as before 2022: the date of a token inside it.
    var dateInside: Instant? {
        for token in [signedTransactionInfo, signedRenewalInfo] {
            if let token, let date = Self.signedDate(inside: token) { return date }
        }
        return nil
    }

    /// Returns the date in the payload of a token, even if the token is not valid.
    private static func signedDate(inside token: ExactText) -> Instant? {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let encoded = Array(parts[1])
        var payload: [UInt8] = []
        guard Base64URL.decode(encoded.span, into: &payload) != nil else { return nil }
        return (try? PayloadValue(parsing: payload))?["signedDate"]?.date
    }
}

extension PayloadValue {
    /// Returns a member that is a string.
    fileprivate func string(_ name: ExactText) -> ExactText? {
        guard let value = self[name], value.kind == .string else { return nil }
        return value.text
    }

    /// The environment of an external purchase token, which has no such member.
    fileprivate var environmentOfToken: ExactText {
        string("externalPurchaseId")?.hasPrefix("SANDBOX") == true ? "Sandbox" : "Production"
    }

    /// Calls a body with each member that is an object, and its name.
    fileprivate func forEachObject(_ body: (ExactText, PayloadValue) -> Void) {
        var member = self
        for child in document.children(of: index) where document.kind(child) == .object {
            member.index = child
            body(document.name(child), member)
        }
    }
}
