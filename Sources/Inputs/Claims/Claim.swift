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
    public var accountID: ExactText = ""
    /// The bundle identifier that the receipt should carry.
    public var bundleID: ExactText = ""
    /// The app version that the receipt should carry.
    public var appVersion: ExactText = ""
    /// The product that the claim asks to unlock.
    public var productID: ExactText = ""
    /// The time at which the receipt was sent in.
    public var presentedAt: Instant?

    /// Whether bytes that are no DER were sent in base64.
    public var isReceiptBase64 = false

    public init(source: ExactText) { self.source = source }
}

extension Claim {
    /// Sets a field to the text of a cell, without the blanks around it.
    mutating func set(_ column: Column, in arena: ByteArena, _ cell: Range<Int>) throws(InputFault) {
        try set(column, arena.span(cell))
    }

    /// Sets a field to the text of a JSON value, without the blanks around it.
    mutating func set(_ column: Column, _ text: Span<UInt8>) throws(InputFault) {
        let text = text.withoutBlanks
        switch column {
        case .file: file = try ExactText(checking: text, column)
        case .deviceID: deviceID = try ExactText(checking: text, column)
        case .accountID: accountID = try ExactText(checking: text, column)
        case .bundleID: bundleID = try ExactText(checking: text, column)
        case .appVersion: appVersion = try ExactText(checking: text, column)
        case .productID: productID = try ExactText(checking: text, column)
        case .presentedAt:
            guard text.count > 0 else { return }
            guard let instant = Instant(rfc3339: text) else {
                throw InputFault(.rowMalformed, "presented_at is not an RFC 3339 date and time")
            }
            presentedAt = instant
        case .receiptData: break
        }
    }
}

extension ExactText {
    /// - Throws: if the text is not UTF-8.
    fileprivate init(checking text: Span<UInt8>, _ column: Column) throws(InputFault) {
        do {
            self.init(String(copying: try UTF8Span(validating: text)))
        } catch {
            throw InputFault(.rowMalformed, "\(column.name) is not UTF-8")
        }
    }
}

/// A column of a table, or a key of a JSON object, with a field of a claim.
enum Column: Int, CaseIterable {
    case file, receiptData, deviceID, accountID, bundleID, appVersion, productID, presentedAt

    static let count = allCases.count

    /// Its name in a header.
    var name: String {
        switch self {
        case .file: "file"
        case .receiptData: "receipt_data"
        case .deviceID: "device_id"
        case .accountID: "account_id"
        case .bundleID: "bundle_id"
        case .appVersion: "app_version"
        case .productID: "product_id"
        case .presentedAt: "presented_at"
        }
    }

    /// Finds the column that a header means; case and blanks around the name do not matter.
    init?(named name: Span<UInt8>) {
        let name = name.withoutBlanks
        guard let found = Self.names.first(where: { name.equalsIgnoringCase($0.name) }) else { return nil }
        self = found.column
    }

    private static let names: [(name: [UInt8], column: Column)] =
        allCases.map { (Array($0.name.utf8), $0) } + [(Array("receipt-data".utf8), .receiptData)]
}
