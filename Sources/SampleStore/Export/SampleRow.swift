public import Encodings

/// One row of `devices.csv`: which device presents which file, and what it claims.
public struct SampleRow: Sendable, Equatable {
    /// The path of the receipt, relative to the table.
    public var file: String
    public var deviceID = ""
    public var accountID = ""
    public var bundleID = ""
    public var appVersion = ""
    public var productID = ""
    public var presentedAt: Instant?
    /// Whether the last cell is left out, so that the row does not fit its header.
    public var isCutShort = false

    public init(file: String) { self.file = file }

    /// The first line of the table.
    public static let header = line([
        "file", "device_id", "account_id", "bundle_id", "app_version", "product_id", "presented_at",
    ])

    /// The row as a line of CSV (RFC 4180), its CRLF included.
    public var line: [UInt8] {
        let cells = [
            file, deviceID, accountID, bundleID, appVersion, productID, presentedAt?.description ?? "",
        ]
        return Self.line(isCutShort ? cells.dropLast() : cells)
    }

    private static func line(_ cells: [String]) -> [UInt8] {
        Array((cells.map(quoted).joined(separator: ",") + "\r\n").utf8)
    }

    /// A cell in quotes, if it holds what would end it (RFC 4180, section 2).
    private static func quoted(_ cell: String) -> String {
        let special: Set<UInt8> = [0x22, 0x2c, 0x0d, 0x0a]
        guard cell.utf8.contains(where: special.contains) else { return cell }
        return "\"" + cell.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
