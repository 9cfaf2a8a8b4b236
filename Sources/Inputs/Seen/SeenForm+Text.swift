import Encodings

extension SeenForm {
    /// Recognizes text with a structure: JSON, markup, PEM, lists of values.
    init?(structured text: ArraySlice<UInt8>) {
        guard let first = text.first else { return nil }
        if text.starts(with: Array("-----BEGIN ".utf8)) {
            self = text.starts(with: Array("-----BEGIN CERTIFICATE-".utf8)) ? .certificate : .pem
        } else if text.starts(with: Array("[FILTERED]".utf8)) {
            self = .redacted
        } else if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || first == UInt8(ascii: "\"") {
            guard let form = Self.braces(text) else { return nil }
            self = form
        } else if first == UInt8(ascii: "<") {
            guard let form = Self.markup(text) else { return nil }
            self = form
        } else {
            return nil
        }
    }

    /// Words in JSON, each with the form that only such JSON has. They may be inside a string of JSON, so they have no
    /// quotes.
    private static let words: [(words: [String], form: SeenForm)] = [
        (["receipt-data"], .verifyReceiptRequest), (["signedPayload"], .notification),
        (["notificationType", "notificationUUID"], .decodedNotification),
        (["\"status\"", "\"receipt\""], .verifyReceiptResponse),
        (["originalTransactionId"], .transactionJSON), (["deviceVerification"], .transactionJSON),
        (["autoRenewProductId"], .transactionJSON), (["receiptCreationDate"], .transactionJSON),
        (["bundleId", "transactionId"], .transactionJSON), (["EC_v1"], .applePay), (["RSA_v1"], .applePay),
        (["purchaseToken"], .googlePlay), (["packageName"], .googlePlay), (["GPA."], .googlePlay),
    ]

    private static func braces(_ text: ArraySlice<UInt8>) -> SeenForm? {
        if text.starts(with: Array("{length".utf8)), contains(text.prefix(100), "bytes") { return .dataDescription }
        if text.count == 38, isDevice(ExactText(repairing: Array(text).span)) { return .uuid }
        if isOldPropertyList(text) {
            return contains(text, "purchase-info") ? .transactionReceipt : .oldPropertyList
        }
        if let known = words.first(where: { $0.words.allSatisfy { contains(text, $0) } }) { return known.form }
        // A text in quotes is JSON if it holds an object.
        return text.first != UInt8(ascii: "\"") || contains(text.prefix(4), "{") ? .json : nil
    }

    /// Whether `=` follows the first key, where JSON has `:`.
    private static func isOldPropertyList(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.first == UInt8(ascii: "{") else { return false }
        var rest = text.dropFirst().drop(while: \.isBlank)
        if rest.first == UInt8(ascii: "\"") {
            rest = rest.dropFirst().drop { $0 != UInt8(ascii: "\"") }.dropFirst()
        } else {
            rest = rest.drop { ProofStart.isDigit($0) && !$0.isBlank && $0 != UInt8(ascii: "=") || $0 == 0x2e }
        }
        return rest.drop(while: \.isBlank).first == UInt8(ascii: "=")
    }

    private static func markup(_ text: ArraySlice<UInt8>) -> SeenForm? {
        let digits = text.dropFirst().prefix { Hex.value($0) != nil }.count
        let end = text.dropFirst(1 + digits).first
        // Hexadecimal digits in angle brackets, eight or more: `<30820000 0609>`.
        if digits >= 8, end == nil || end == UInt8(ascii: ">") || end?.isBlank == true { return .dataDescription }
        let start = text.prefix(1000).map { (0x41...0x5a).contains($0) ? $0 + 0x20 : $0 }[...]
        if contains(start, "<plist") { return .xmlPropertyList }
        if ["<html", "<!doctype html", "<table"].contains(where: { contains(start, $0) }) { return .html }
        return start.dropFirst().first.map { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "!") } == true
            || contains(start, "</") || contains(start, "/>") ? .xml : nil
    }

    /// Recognizes other text by its characters.
    init(word text: Span<UInt8>) {
        let (count, start) = (text.count, String(repairing: text.extracting(first: 200)))
        func all(_ isOne: (UInt8) -> Bool) -> Bool { text.indices.allSatisfy { isOne(text[$0]) } }
        let name = ExactText(String(repairing: text.extracting(first: 65)))
        if Self.isRedacted(text) {
            self = .redacted
        } else if Placeholder.matches(text) || Placeholder.Form(account: name) != nil {
            self = .placeholder
        } else if all({ (0x30...0x39).contains($0) }), (12...20).contains(count) {
            self = .transactionID
        } else if start.hasPrefix("GPA.") || start.contains(".AO-J1O") {
            self = .googlePlayToken
        } else if count < 64, Self.isDevice(name) {
            self = .uuid
        } else if text.firstIndex(of: Array("://".utf8), from: 0) != nil, !start.contains(" ") {
            self = .address
        } else if Self.isFileName(text) {
            self = .fileName
        } else if Self.isDate(text) {
            self = .date
        } else if all({ Hex.value($0) != nil }), count >= 8 {
            self = .hexadecimal
        } else if start.contains("@"), start.contains("."), !start.contains(" "), count < 200 {
            self = .email
        } else if start.contains("="), start.contains("&"), !start.contains(" ") {
            self = .formEncoded
        } else if start.contains("="), start.contains(" "),
            start.split(separator: " ").count(where: { $0.contains("=") }) > 1
        {
            self = .keyValues
        } else if all(ProofStart.isDigit), count >= 64 {
            self = .base64
        } else {
            self = .text
        }
    }

    /// Recognizes what Apple signed by the names in a decoded copy of it, in any case and spelling, in a header of a table
    /// as in JSON or a line of a log.
    init?(decoded text: Span<UInt8>) {
        let start = text.extracting(first: 16 << 10).copy().filter { !Array("_- ".utf8).contains($0) }
        let letters = start.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
        func has(_ name: String) -> Bool { letters.span.firstIndex(of: Array(name.utf8), from: 0) != nil }
        if has("notificationtype") || has("notificationuuid") {
            self = .decodedNotification
        } else if has("originaltransactionid") || has("revocationdate") || has("autorenewproductid") {
            self = .transactionJSON
        } else {
            return nil
        }
    }

    /// Whether text is a device or a date.
    static func isOfClaim(_ text: Span<UInt8>) -> Bool {
        text.count > 0 && text.count < 64 && (isDevice(ExactText(String(repairing: text))) || isDate(text))
    }

    private static func isDevice(_ text: ExactText) -> Bool {
        let found = DeviceIdentifiers(text)
        return !found.isMalformed && found.smallestUsable != nil
    }

    /// Whether text is a date since the App Store opened, in a form that is read, or in one that people and spreadsheets
    /// write: `30.6.2026`, `6/30/2026 12:00`, `46163.4166`.
    private static func isDate(_ text: Span<UInt8>) -> Bool {
        if let date = Instant(written: text), date > Instant(seconds: 1_215_000_000) { return true }
        let parts = String(repairing: text.extracting(first: 40)).split(whereSeparator: { !$0.isNumber })
        guard parts.count > 1, (0x30...0x39).contains(text[0]) else { return false }
        let isSerial = parts.count == 2 && parts[0].count == 5 && text[5] == UInt8(ascii: ".")
        let isDay =
            parts.count >= 3 && parts[..<3].contains { $0.count == 4 } && parts[..<3].allSatisfy { $0.count <= 4 }
        return isSerial
            || isDay && [".", "/", "-"].contains { String(repairing: text.extracting(first: 11)).contains($0) }
    }

    private static let redactions = [
        "[filtered]", "[redacted]", "filtered", "redacted", "hidden", "masked", "secret", "removed", "sanitized",
        "scrubbed", "omitted", "truncated", "<redacted>", "<filtered>", "(redacted)", "[hidden]", "[masked]",
        "[secret]", "[removed]", "**redacted**",
    ].map { Array($0.utf8) }

    /// Whether text is a word that log filters write, or asterisks, bullets or x alone.
    private static func isRedacted(_ text: Span<UInt8>) -> Bool {
        if redactions.contains(where: { text.isLowercased($0) }) { return true }
        let characters = Set(String(repairing: text.extracting(first: 100)))
        return text.count >= 3 && characters.count == 1 && characters.isSubset(of: ["*", "•", "x", "X", "#"])
    }

    private static func isFileName(_ text: Span<UInt8>) -> Bool {
        guard text.count < 1024, let dot = text.indices.last(where: { text[$0] == UInt8(ascii: ".") }) else {
            return false
        }
        let ending = text.extracting((dot + 1)...)
        return ["der", "bin", "receipt", "jws", "p7b", "p7", "b64", "txt", "dat"].contains {
            ending.isLowercased(Array($0.utf8))
        }
    }

    static func contains(_ text: ArraySlice<UInt8>, _ word: String) -> Bool {
        text.span.firstIndex(of: Array(word.utf8), from: 0) != nil
    }
}
