public import Encodings

/// One claim of an export: a file, the row that names it, and the expected result of its audit.
public struct SampleClaim: Sendable {
    /// The expected result of an audit.
    public enum Truth: Sendable, Equatable {
        /// No check fails.
        case genuine
        /// Only the check named by the forgery fails; checks that depend on it are impossible.
        case forged(Forgery)
        /// The claim belongs to a planted cluster; see ``SampleExport/expectedFindings()``.
        case planted(Plant)
    }

    public let index: Int
    public var row: SampleRow
    /// The file, unless it is missing.
    public var file: SampleFile?
    public var truth: Truth

    /// The code of the check that fails by forgery, if one does.
    public var failedCheck: String? {
        if case .forged(let forgery) = truth { forgery.rawValue } else { nil }
    }

    /// The name of the claim in reports: the table and the line on which its row starts.
    public var source: String { Self.source(at: index) }

    static func source(at index: Int) -> String { "devices.csv:\(index + 2)" }
}

/// A receipt file to be written.
public struct SampleFile: Sendable, Equatable {
    /// The path, relative to the folder of receipts.
    public var path: String
    public var bytes: [UInt8]
    /// The size to which the file is extended with zeros, if it is.
    public var extendedTo: Int?

    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}

/// One row of `devices.csv`: the file, the device that presents it, and the claimed values.
public struct SampleRow: Sendable, Equatable {
    /// The path of the proof, relative to the table.
    public var file: String
    public var deviceID = ""
    /// `AppStore.deviceVerificationID`, in rows with a token.
    public var deviceVerificationID = ""
    public var accountID = ""
    /// The UUID that the app gives to StoreKit as `appAccountToken`, in rows with a token.
    public var accountToken = ""
    public var bundleID = ""
    public var appVersion = ""
    public var productID = ""
    public var presentedAt: Instant?
    /// Whether the last cell is left out, so that the row does not fit its header.
    public var isCutShort = false

    public init(file: String) { self.file = file }

    /// Whether it names a device in either column.
    var namesDevice: Bool { !deviceID.isEmpty || !deviceVerificationID.isEmpty }

    /// The first line of the table.
    public static let header = line([
        "file", "device_id", "device_verification_id", "account_id", "account_token", "bundle_id", "app_version",
        "product_id", "presented_at",
    ])

    /// The row as a line of CSV (RFC 4180), its CRLF included.
    public var line: [UInt8] {
        let cells = [
            file, deviceID, deviceVerificationID, accountID, accountToken, bundleID, appVersion, productID,
            presentedAt?.description ?? "",
        ]
        return Self.line(isCutShort ? cells.dropLast() : cells)
    }

    private static func line(_ cells: [String]) -> [UInt8] {
        Array((cells.map(quoted).joined(separator: ",") + "\r\n").utf8)
    }

    /// Returns a cell in quotes, if it contains a character that would end it (RFC 4180, section 2).
    private static func quoted(_ cell: String) -> String {
        let special: Set<UInt8> = [0x22, 0x2c, 0x0d, 0x0a]
        guard cell.utf8.contains(where: special.contains) else { return cell }
        return "\"" + cell.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
