import Encodings

extension Token {
    /// Reads a notification; none of its bodies is required.
    mutating func readNotification(_ members: inout TokenMembers) {
        let type = members.requiredText("notificationType")
        let uuid = members.requiredText("notificationUUID")
        var notification = Notification(type: type ?? "", subtype: members.text("subtype"), uuid: uuid ?? "")
        let data = members.object("data")
        notification.status = data?.integer("status").flatMap { Int(exactly: $0) }
        notification.consumptionRequestReason = data?.text("consumptionRequestReason")
        notification.signedTransactionInfo = data?.text("signedTransactionInfo")
        notification.signedRenewalInfo = data?.text("signedRenewalInfo")
        self.notification = notification
        signedAt = members.has("signedDate") ? members.requiredDate("signedDate") : Self.date(inside: notification)
        if signedAt == nil { members.fail(.noDate) }
        if let token = members.object("externalPurchaseToken") {
            bundleID = token.text("bundleId")
            let isSandbox = token.text("externalPurchaseId")?.hasPrefix("SANDBOX") == true
            environment = isSandbox ? "Sandbox" : "Production"
        }
        for body in [members.object("appData"), members.object("summary"), data] {
            guard let body else { continue }
            bundleID = body.text("bundleId") ?? bundleID
            environment = body.text("environment") ?? environment
        }
    }

    /// When a notification was signed that does not say so, as before 2022: the date of a token inside it.
    private static func date(inside notification: Notification) -> Instant? {
        for token in [notification.signedTransactionInfo, notification.signedRenewalInfo] {
            if let token, let date = signedDate(inside: token) { return date }
        }
        return nil
    }

    /// Returns the date that the payload of a token names, whether or not the token is valid.
    private static func signedDate(inside token: ExactText) -> Instant? {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let encoded = Array(parts[1])
        var payload: [UInt8] = []
        guard Base64URL.decode(encoded.span, into: &payload) != nil else { return nil }
        return (try? TokenMembers(payload))?.date("signedDate")
    }
}
