/// A column of a table, or a key of a JSON object, that says something about a claim.
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

extension Span<UInt8> {
    /// Whether these are the same letters, those of ASCII in either case; `other` is in lower case.
    func equalsIgnoringCase(_ other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        for index in indices {
            let byte = self[index]
            guard ((0x41...0x5a).contains(byte) ? byte | 0x20 : byte) == other[index] else { return false }
        }
        return true
    }
}

extension ByteArena {
    func column(named name: Range<Int>) -> Column? { Column(named: span(name)) }

    /// The range without blanks at its ends.
    func withoutBlanks(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, self[start].isBlank { start += 1 }
        while start < end, self[end - 1].isBlank { end -= 1 }
        return start..<end
    }
}
