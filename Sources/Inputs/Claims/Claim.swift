public import Encodings

/// One receipt as presented by one device, and optionally one account: the unit of the audit.
///
/// All text is untrusted and verbatim, without surrounding blanks. An empty text means that nothing was claimed.
public struct Claim: Sendable {
    /// The claim's name in every report: `devices.csv:17` (the line on which the row starts), `export.ndjson:17`, or
    /// the path of a file relative to its INPUT.
    public var source: ExactText
    /// The line on which the row starts, or of the list that names the file; 0 for a file of a folder.
    package var line = 0
    /// The receipt file as named in the row, without `.` and doubled slashes, or its path relative to INPUT; empty if
    /// the row contains the receipt.
    public var file: ExactText = ""
    /// One device identifier, or alternatives separated by `|`.
    public var deviceID: ExactText = ""
    /// StoreKit's `AppStore.deviceVerificationID`: a UUID, without signs of spreadsheets around it.
    public var deviceVerificationID: ExactText = ""
    /// The account as written; ``account`` is the one that counts.
    public var accountID: ExactText = ""
    /// The UUID that the app gave to StoreKit as `appAccountToken` for this account, as written; ``accountUUID`` is the
    /// one that counts.
    public var accountToken: ExactText = ""
    /// The bundle identifier that the receipt should have.
    public var bundleID: ExactText = ""
    /// The app version that the receipt should have.
    public var appVersion: ExactText = ""
    /// The product that the claim asks to unlock.
    public var productID: ExactText = ""
    /// The time at which the receipt was presented, as written, possible or not; `nil` also if it is unread.
    public var presentedAt: Instant?
    /// The shape of a presentation time that cannot be read: `99.99.9999 99:99`, or `{…}` for an object.
    public private(set) var unreadDate: ExactText = ""
    /// The values that their columns cannot hold, such as objects and truth values. They are left out.
    public private(set) var unread: [UnreadValue] = []
    /// The network address that sent the receipt, as text.
    public var ip: ExactText = ""

    /// Whether bytes that are not DER were sent in base64.
    public var isReceiptBase64 = false

    public init(source: ExactText) { self.source = source }
}

extension Claim {
    /// The account in the form in which accounts are compared and shown: a UUID in its canonical form, as systems write
    /// one UUID in several; any other text as written, placeholder or not. People may choose other texts, and must not
    /// pass for somebody else. The signs that exporters put around numbers and formulas, so that spreadsheets keep them,
    /// are no part of it: `="007"` and `'007` are `007`.
    public var canonicalAccountID: ExactText {
        if let id = DeviceIdentifiers.canonicalUUID(accountID) { return id }
        let text = accountID.utf8.span
        guard text.count > 1, text[0] == UInt8(ascii: "=") || text[0] == UInt8(ascii: "'") else { return accountID }
        if text[0] == UInt8(ascii: "=") {
            guard text.count > 3, text[1] == 0x22, text[text.count - 1] == 0x22 else { return accountID }
            return ExactText(repairing: text.extracting(2..<(text.count - 1)))
        }
        let isGuarded = (0x30...0x39).contains(text[1]) || Array("=+-@".utf8).contains(text[1])
        return isGuarded ? ExactText(repairing: text.extracting(1...)) : accountID
    }

    /// The account that presents the proof, in its canonical form; empty if it is a placeholder. It may still be one of
    /// the run's ``AccountPlaceholders``, which are known only after all claims were read.
    public var account: ExactText {
        let id = canonicalAccountID
        return Placeholder.matchesAccount(id) ? "" : id
    }

    /// The byte between the devices of several columns or keys.
    static let separatorOfDevices: UInt8 = 0x1f

    /// The account's UUID in its canonical form; empty if ``accountToken`` is a placeholder or no UUID.
    public var accountUUID: ExactText {
        guard let id = DeviceIdentifiers.canonicalUUID(accountToken), !Placeholder.matches(id) else { return "" }
        return id
    }

    /// Sets a field to the text of a JSON value or of a cell, which is UTF-8, without surrounding blanks.
    mutating func set(_ column: Column, _ text: Span<UInt8>) {
        let text = text.withoutBlanks
        switch column {
        case .file: file = ExactText(repairing: text)
        case .deviceID: deviceID = DeviceIdentifiers.joined(text)
        case .deviceVerificationID: deviceVerificationID = ExactText(repairing: text.withoutSpreadsheetSigns)
        case .accountID: accountID = ExactText(repairing: text)
        case .accountToken: accountToken = ExactText(repairing: text)
        case .bundleID: bundleID = ExactText(repairing: text)
        case .appVersion: appVersion = ExactText(repairing: text)
        case .productID: productID = ExactText(repairing: text)
        case .presentedAt:
            guard text.count > 0 else { return }
            presentedAt = Instant(written: text)
            unreadDate = presentedAt == nil ? Self.shape(text) : ""
        case .ip: ip = ExactText(repairing: text)
        case .receiptData: break
        }
    }
}

/// A value of JSON that is no text and is left out, although its key is that of a column.
public struct UnreadValue: Sendable {
    /// What the claim lacks without it; `nil` if the claim still has that, or it is of minor importance.
    public let lacking: LikelyColumn?
    public let key: ExactText
    /// Whether it is a UUID of subtype 03 by an unknown writer.
    public let isLegacyUUID: Bool
}

extension Claim {
    /// Whether the claim has an unreadable presentation time.
    public var isDateUnread: Bool { !unreadDate.isEmpty }

    /// Returns the start of a text with 9 for its digits and a for its letters, as other texts than dates may be private.
    private static func shape(_ text: Span<UInt8>) -> ExactText {
        let start = text.extracting(first: 32)
        let shape = start.indices.map { index in
            switch start[index] {
            case 0x30...0x39: UInt8(ascii: "9")
            case 0x41...0x5a, 0x61...0x7a, 0x80...0xff: UInt8(ascii: "a")
            default: start[index]
            }
        }
        return ExactText(repairing: shape.span)
    }

    /// Whether the account is an object or an array in the cell of a table, or in a string. It counts as written.
    public var isAccountJSON: Bool {
        let text = accountID.utf8.span
        return text.count > 3 && (text[1] == 0x22 || text[1] == UInt8(ascii: "{")) && text.opensJSON
    }

    /// Records the value of a key after all others were set.
    mutating func leaveOut(_ column: Column, key: ExactText, isLegacyUUID: Bool) {
        let lacking: LikelyColumn? =
            switch column {
            case .deviceID, .deviceVerificationID: deviceID.isEmpty && deviceVerificationID.isEmpty ? .device : nil
            case .accountID: .account
            case .presentedAt: .date
            default: nil
            }
        if column == .presentedAt { unreadDate = "{…}" }
        unread.append(UnreadValue(lacking: lacking, key: key, isLegacyUUID: isLegacyUUID))
    }
}
