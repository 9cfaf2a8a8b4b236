public import Encodings

/// One receipt as presented by one device, and perhaps one account: the unit of the audit.
///
/// All text is untrusted, verbatim, blanks around it removed. An empty text means that nothing was claimed.
public struct Claim: Sendable {
    /// The claim's name in every report: `devices.csv:17` (the line on which the row starts),
    /// `export.ndjson:17`, or the path of a file relative to its INPUT.
    public var source: ExactText
    /// The line on which the row starts, or of the list that names the file; 0 for a file of a folder.
    package var line = 0
    /// The receipt file as the row named it, without `.` and doubled slashes, or its path relative to INPUT;
    /// empty if the row held the receipt.
    public var file: ExactText = ""
    /// One device identifier, or alternatives separated by `|`.
    public var deviceID: ExactText = ""
    /// StoreKit's `AppStore.deviceVerificationID`: a UUID.
    public var deviceVerificationID: ExactText = ""
    /// As it was written; ``account`` is the one that counts.
    public var accountID: ExactText = ""
    /// The UUID that the app gave to StoreKit as `appAccountToken` for this account, as it was written.
    public var accountToken: ExactText = ""
    /// The bundle identifier that the receipt should carry.
    public var bundleID: ExactText = ""
    /// The app version that the receipt should carry.
    public var appVersion: ExactText = ""
    /// The product that the claim asks to unlock.
    public var productID: ExactText = ""
    /// The time at which the receipt was sent in, as it was written, possible or not; `nil` also if ``isDateUnread``.
    public var presentedAt: Instant?
    /// Whether the claim names a time at which the receipt was sent in, which cannot be read.
    public var isDateUnread = false
    /// The network address that sent the receipt, as text.
    public var ip: ExactText = ""

    /// Whether bytes that are no DER were sent in base64.
    public var isReceiptBase64 = false

    public init(source: ExactText) { self.source = source }
}

extension Claim {
    /// The account that presents the proof; empty if ``accountID`` stands for none.
    public var account: ExactText { Placeholder.matchesAccount(accountID) ? "" : accountID }

    /// The account's UUID; empty if ``accountToken`` stands for none.
    public var accountUUID: ExactText { Placeholder.matches(accountToken) ? "" : accountToken }

    /// Sets a field to the text of a JSON value or of a cell, which is UTF-8, without the blanks around it.
    mutating func set(_ column: Column, _ text: Span<UInt8>) {
        let text = text.withoutBlanks
        switch column {
        case .file: file = ExactText(repairing: text)
        case .deviceID: deviceID = ExactText(repairing: text)
        case .deviceVerificationID: deviceVerificationID = ExactText(repairing: text)
        case .accountID: accountID = ExactText(repairing: text)
        case .accountToken: accountToken = ExactText(repairing: text)
        case .bundleID: bundleID = ExactText(repairing: text)
        case .appVersion: appVersion = ExactText(repairing: text)
        case .productID: productID = ExactText(repairing: text)
        case .presentedAt:
            guard text.count > 0 else { return }
            presentedAt = Instant(written: text)
            isDateUnread = presentedAt == nil
        case .ip: ip = ExactText(repairing: text)
        case .receiptData: break
        }
    }
}
