public import Encodings

/// A column of a table, or a key of a JSON object, with a field of a claim.
enum Column: Int, CaseIterable, Codable {
    case file, receiptData, deviceID, deviceVerificationID, accountID, accountToken, bundleID, appVersion, productID
    case presentedAt, ip

    static let count = allCases.count

    /// Whether its values may be UUIDs, which databases store as bytes.
    var mayBeUUID: Bool {
        switch self {
        case .deviceID, .deviceVerificationID, .accountID, .accountToken: true
        case .file, .receiptData, .bundleID, .appVersion, .productID, .presentedAt, .ip: false
        }
    }

    /// Whether several columns or keys of an export may have its values.
    var mayBeSeveral: Bool { self == .receiptData || self == .deviceID }

    /// The name of each column in a header, and other names, used by Apple and by apps' databases, which count if no
    /// column has the name itself.
    private static let spellings: [(name: String, aliases: [String])] = [
        ("file", ["file_name", "receipt_file", "receipt_path"]),
        (
            "receipt_data",
            [
                "receipt", "latest_receipt", "transaction_receipt", "app_receipt", "app_store_receipt",
                "receipt_base64", "signed_transaction", "signed_transaction_info", "jws", "jws_representation",
            ]
        ),
        ("device_id", ["idfv", "identifier_for_vendor", "vendor_id", "vendor_identifier", "mac_address"]),
        ("device_verification_id", []),
        (
            "account_id",
            ["user_id", "customer_id", "account_identifier", "app_user_id", "customer_user_id", "uid"]
        ),
        ("account_token", ["app_account_token"]), ("bundle_id", ["bundle_identifier"]),
        ("app_version", ["application_version", "bundle_version"]), ("product_id", ["product_identifier"]),
        ("presented_at", ["received_at", "submitted_at"]), ("ip", ["ip_address", "client_ip", "remote_addr"]),
    ]

    /// Its name in a header.
    var name: String { Self.spellings[rawValue].name }

    var aliases: [String] { Self.spellings[rawValue].aliases }

    fileprivate init?(named name: Span<UInt8>) {
        guard let index = Self.names.index(spelled: name) else { return nil }
        self = Self.names[index].column
    }

    fileprivate static let names: [(name: [UInt8], column: Column)] = allCases.map { (Array($0.name.utf8), $0) }
    fileprivate static let otherNames: [(name: [UInt8], column: Column)] = allCases.flatMap { column in
        column.aliases.map { (Array($0.utf8), column) }
    }
}

extension [(name: [UInt8], column: Column)] {
    /// Returns the index of a name. Called for each cell of a row, so it copies no name.
    fileprivate func index(spelled name: Span<UInt8>) -> Int? {
        let names = span
        // Nearly all exports use exactly these spellings.
        for index in names.indices where name.hasSameBytes(as: names[index].name) { return index }
        for index in names.indices where name.isSameName(as: names[index].name.span) { return index }
        return nil
    }
}

extension Claim {
    /// The claim's fields about who presents the proof and asks for what, by column name; empty if the row lacks them.
    package var asked: [(name: String, value: ExactText)] {
        [
            (Column.deviceID.name, deviceID), (Column.deviceVerificationID.name, deviceVerificationID),
            (Column.accountID.name, accountID), (Column.accountToken.name, accountToken),
            (Column.bundleID.name, bundleID), (Column.appVersion.name, appVersion),
            (Column.productID.name, productID),
            (Column.presentedAt.name, ExactText(presentedAt?.description ?? "")), (Column.ip.name, ip),
        ]
    }
}

/// The form of an INPUT, for `--format`, if its first bytes do not show it.
public enum InputFormat: String, CaseIterable, Sendable {
    /// A table with the separator in its header.
    case csv, tsv
    /// JSON objects, one per line.
    case ndjson
    /// JSON objects in an array, or consecutive ones.
    case json
    /// One receipt or token.
    case proof
}

/// The names of columns in an export, its text for an empty cell, and its form.
public struct ExportNames: Sendable, Equatable {
    /// The rank of a name: of two names for one column the better one counts.
    enum Rank: Comparable {
        case alias, own, given
    }

    private var given: [Given] = []
    private var null: [UInt8]?
    /// The form of every INPUT except folders; `nil` if the first bytes decide.
    public var format: InputFormat?

    private struct Given: Equatable {
        let name: [UInt8]
        let column: Column
        let legacyUUID: LegacyUUID?
    }

    /// A known name in an export.
    struct Known {
        let column: Column
        let rank: Rank
        /// Distinguishes the names of a column, regardless of spelling.
        let name: Int
    }

    public init() {}

    /// - Parameters:
    ///   - columns: `device_id=vendor_uuid`, each with the column's name and the name in the export; several may be
    ///     separated by commas. `device_id:java=vendor_uuid` also states the writer of its BSON UUIDs of subtype 03.
    ///   - null: the text for an empty cell, in addition to `\N`.
    ///   - format: the form of every INPUT except folders; `nil` if the first bytes decide.
    /// - Throws: ``ExportNamesError``.
    public init(
        columns: [String], null: String? = nil, format: InputFormat? = nil
    ) throws(ExportNamesError) {
        self.format = format
        for item in columns.flatMap({ $0.split(separator: ",") }) {
            let parts = item.split(separator: "=", maxSplits: 1).map { Array($0.utf8) }
            guard parts.count == 2 else { throw ExportNamesError.noPair(String(item)) }
            let (name, written) = (parts[0], parts[1])
            var known = name.span.withoutBlanks
            var legacyUUID: LegacyUUID?
            if let colon = known.firstIndex(of: UInt8(ascii: ":")) {
                let driver = String(repairing: known.extracting((colon + 1)...))
                legacyUUID = LegacyUUID(rawValue: driver)
                guard legacyUUID != nil else { throw ExportNamesError.unknownDriver(driver) }
                known = known.extracting(..<colon)
            }
            guard let column = Column(named: known) else {
                throw ExportNamesError.unknown(String(repairing: known))
            }
            guard legacyUUID == nil || column.mayBeUUID else { throw ExportNamesError.noUUID(column.name) }
            guard !given.contains(where: { $0.column == column }) else { throw ExportNamesError.twice(column.name) }
            let source = written.span.withoutBlanks
            guard !given.contains(where: { source.isSameName(as: $0.name.span) }) else {
                throw ExportNamesError.usedTwice(String(repairing: source))
            }
            given.append(Given(name: source.copy(), column: column, legacyUUID: legacyUUID))
        }
        self.null = null.map { Array($0.utf8) }
    }

    /// The given names, each with its column, as `account_id=customer`.
    var givenNames: [(column: Column, name: String)] { given.map { ($0.column, String(repairing: $0.name.span)) } }

    /// Distinguishes names that mean other columns.
    public var fingerprint: [String] {
        let columns = given.map {
            "\($0.column.name)\($0.legacyUUID.map { ":\($0.rawValue)" } ?? "")=\(Hex.string($0.name.span))"
        }
        let form = format.map { ["format=\($0.rawValue)"] } ?? []
        return columns + form + (null.map { ["null=\(Hex.string($0.span))"] } ?? [])
    }

    /// Returns the column for a name in an export, ignoring case, `_`, `-` and blanks.
    func column(named name: Span<UInt8>) -> Known? {
        let name = name.withoutBlanks
        for given in given where name.isSameName(as: given.name.span) {
            return Known(column: given.column, rank: .given, name: 0)
        }
        // All of our names begin with a letter. This is called for the first cell of each row, which may repeat the
        // header.
        guard name.count > 0, (0x61...0x7a).contains(name[0] | 0x20) || name[0].isSeparator else {
            return name.bareIdentifier.map { column(named: name.extracting($0)) } ?? nil
        }
        if let column = Column(named: name) { return Known(column: column, rank: .own, name: 0) }
        guard let index = Column.otherNames.index(spelled: name) else { return nil }
        return Known(column: Column.otherNames[index].column, rank: .alias, name: index + 1)
    }

    /// Returns the columns that are read of names found together: of two names for one column the better one counts.
    /// Receipts and devices may be in several columns, unless the user gave one.
    static func read(_ found: [Known?]) -> [Column?] {
        var best: [Column: Rank] = [:]
        for case let found? in found { best[found.column] = max(best[found.column] ?? found.rank, found.rank) }
        return found.map { found in
            guard let found else { return nil }
            let isRead =
                best[found.column] == found.rank || found.column.mayBeSeveral && best[found.column] != .given
            return isRead ? found.column : nil
        }
    }

    /// Returns the writer of the BSON UUIDs of subtype 03 in a column, if the user states it.
    func legacyUUID(in column: Column) -> LegacyUUID? { given.first { $0.column == column }?.legacyUUID }

    /// Whether a cell of a table means an empty one.
    func isNull(_ cell: Span<UInt8>) -> Bool {
        if cell.count == 2, cell[0] == UInt8(ascii: "\\"), cell[1] == UInt8(ascii: "N") { return true }
        return null.map { cell.isSame(as: $0) } ?? false
    }

    /// The names of all columns.
    public static let columns: [ExactText] = Column.allCases.map { ExactText($0.name) }
    /// The aliases that are long enough for suggestions of similar names.
    public static let longAliases: [ExactText] = Column.allCases.flatMap { $0.aliases.map { ExactText($0) } }
        .filter { $0.utf8.count > 8 }
}

/// The error in `--columns`.
public enum ExportNamesError: Error, Equatable, CustomStringConvertible {
    case noPair(String)
    case unknown(String)
    case twice(String)
    case usedTwice(String)
    case unknownDriver(String)
    case noUUID(String)

    public var description: String {
        switch self {
        case .noPair(let text): "“\(text)” is not COLUMN=NAME, such as device_id=vendor_uuid"
        case .unknown(let name):
            "there is no column “\(name)”: the columns are \(Column.allCases.map(\.name).joined(separator: ", "))"
        case .twice(let name): "the column \(name) is named twice"
        case .usedTwice(let name): "“\(name)” is named for two columns: an export's column is read as one"
        case .unknownDriver(let name):
            "“\(name)” is no driver that writes UUIDs of subtype 03: \(LegacyUUID.allCases.map(\.rawValue).joined(separator: ", "))"
        case .noUUID(let name): "\(name) holds no UUID, so no driver wrote it"
        }
    }
}

extension Span<UInt8> {
    /// Whether two names have the same bytes.
    fileprivate func hasSameBytes(as other: borrowing [UInt8]) -> Bool {
        count == other.count && isSame(as: other.span)
    }

    /// Whether two names are equal, ignoring case, `_`, `-` and blanks.
    func isSameName(as other: Span<UInt8>) -> Bool {
        var (index, place) = (0, 0)
        while true {
            while index < count, self[index].isSeparator { index += 1 }
            while place < other.count, other[place].isSeparator { place += 1 }
            guard index < count, place < other.count else { return index == count && place == other.count }
            guard self[index].lowercased == other[place].lowercased else { return false }
            index += 1
            place += 1
        }
    }
}

extension Span<UInt8> {
    /// The place of a name inside of `[…]` or backticks, as databases quote it; `nil` for any other text.
    fileprivate var bareIdentifier: Range<Int>? {
        guard count > 2, (0x61...0x7a).contains(self[1] | 0x20) else { return nil }
        let (first, last) = (self[0], self[count - 1])
        let isQuoted =
            first == UInt8(ascii: "[") && last == UInt8(ascii: "]") || first == UInt8(ascii: "`") && last == first
        return isQuoted ? 1..<(count - 1) : nil
    }
}

extension UInt8 {
    fileprivate var lowercased: UInt8 { (0x41...0x5a).contains(self) ? self | 0x20 : self }

    fileprivate var isSeparator: Bool { self == UInt8(ascii: "_") || self == UInt8(ascii: "-") || self == 0x20 }
}
