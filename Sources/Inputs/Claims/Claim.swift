public import Encodings

/// One receipt as presented by one device, and perhaps one account: the unit of the audit.
///
/// All text is untrusted, verbatim, blanks around it removed. An empty string says that nothing was claimed.
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
    public var accountID: ExactText = ""
    /// The bundle identifier that the receipt should carry.
    public var bundleID: ExactText = ""
    /// The app version that the receipt should carry.
    public var appVersion: ExactText = ""
    /// What the claim asks to unlock.
    public var productID: ExactText = ""
    /// When the receipt was sent in.
    public var presentedAt: Instant?

    /// What was sent in place of a receipt, and is no DER, was base64.
    public var isReceiptBase64 = false

    public init(source: ExactText) { self.source = source }
}
