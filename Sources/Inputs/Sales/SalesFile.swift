import Encodings

/// One Summary Sales report: text with tabs, whose first row names the columns.
struct SalesFile {
    /// What rows of countries, prices and devices have in common, and are added up by.
    struct Key: Hashable {
        let product: ExactText
        /// The SKU of its app.
        let parent: ExactText
        let day: Int
    }

    private(set) var rows: [Key: SalesReports.Count] = [:]
    private(set) var days: Set<Int> = []
    /// A hash of all that is counted.
    private(set) var fingerprint: UInt64 = 0

    /// The columns that count, as reports of every version name them.
    private enum Column: String, CaseIterable {
        case product = "SKU"
        case type = "Product Type Identifier"
        case units = "Units"
        case begin = "Begin Date"
        case end = "End Date"
        case country = "Country Code"
        case price = "Customer Price"
        case parent = "Parent Identifier"
    }

    /// The types of purchases in apps. Others are downloads and updates of apps, and restores (`IA3`), which sell nothing.
    private static let types: Set<ExactText> = ["IA1", "IA1-M", "IA9", "IA9-M", "IAY", "IAY-M", "FI1"]
    /// The maximum length of an id: that of Apple's column.
    private static let maxLength = 2000
    private static let maxUnits: UInt = 1 << 31
    private static let maxColumns = 100

    /// - Throws: if a row cannot be counted, with its number.
    init(_ text: ByteArena) throws(StreamDamage) {
        let bytes = text.span(text.byteOrderMark..<text.count)
        var places: [(column: Column, place: Int)] = []
        var (start, number) = (0, 0)
        while start < bytes.count {
            let end = bytes.firstIndex(of: 0x0a, from: start) ?? bytes.count
            let cells = Self.cells(of: bytes.extracting(start..<end))
            start = end + 1
            number += 1
            guard number > 1 else {
                for column in Column.allCases {
                    guard let place = cells.firstIndex(of: ExactText(column.rawValue)) else {
                        let reason = "is no Summary Sales report: its first row has no column “\(column.rawValue)”"
                        throw StreamDamage(reason: reason)
                    }
                    places.append((column, place))
                }
                continue
            }
            guard cells.count > 1 || cells.first?.isEmpty == false else { continue }
            do throws(StreamDamage) {
                try add { column in
                    places.first { $0.column == column && $0.place < cells.count }.map { cells[$0.place] } ?? ""
                }
            } catch {
                throw StreamDamage(reason: "row \(number): \(error.reason)")
            }
        }
        if number == 0 { throw StreamDamage(reason: "is empty") }
    }

    /// - Parameter cell: returns the text of a column; a row may be shorter than the first.
    private mutating func add(_ cell: (Column) -> ExactText) throws(StreamDamage) {
        let day = try Self.day(cell(.begin))
        guard try Self.day(cell(.end)) == day else {
            throw StreamDamage(reason: "is of several days, and only daily reports can be compared")
        }
        days.insert(day)
        // A price without a digit above 0 is 0, or not stated.
        guard Self.types.contains(cell(.type)), cell(.price).utf8.contains(where: { (0x31...0x39).contains($0) })
        else { return }
        let key = Key(product: cell(.product), parent: cell(.parent), day: day)
        guard (1...Self.maxLength).contains(key.product.utf8.count), key.parent.utf8.count <= Self.maxLength else {
            throw StreamDamage(reason: "SKU is empty, or an id is longer than \(Self.maxLength) bytes")
        }
        let units = try Self.units(cell(.units))
        rows[key, default: .init()].units += max(0, units)
        rows[key, default: .init()].refunds += max(0, -units)
        for column in Column.allCases { fingerprint = stableMix(fingerprint ^ cell(column).stableHash) }
    }

    private static func cells(of line: Span<UInt8>) -> [ExactText] {
        var cells: [ExactText] = []
        var start = 0
        while start <= line.count, cells.count < maxColumns {
            let end = line.firstIndex(of: 0x09, from: start) ?? line.count
            cells.append(ExactText(repairing: line.extracting(start..<end).withoutBlanks))
            start = end + 1
        }
        return cells
    }

    /// `06/30/2026`
    private static func day(_ text: ExactText) throws(StreamDamage) -> Int {
        let parts = text.utf8.split(separator: 0x2f).map { Int64(String($0) ?? "") ?? 0 }
        if parts.count == 3, (2008...9999).contains(parts[2]) {
            let date = CivilDate(year: parts[2], month: parts[0], day: parts[1])
            if date.exists { return Int(date.daysSinceEpoch) }
        }
        throw StreamDamage(reason: "“\(text.text.start(20))” is not a date like 06/30/2026")
    }

    /// `12`, `-1` or `3.00`
    private static func units(_ text: ExactText) throws(StreamDamage) -> Int {
        let parts = text.utf8.split(separator: 0x2e, omittingEmptySubsequences: false)
        let isWhole = parts.count == 1 || parts.count == 2 && parts[1].allSatisfy { $0 == 0x30 }
        guard isWhole, let units = Int(String(parts[0]) ?? ""), units.magnitude <= maxUnits else {
            throw StreamDamage(reason: "“\(text.text.start(20))” is not a number of units")
        }
        return units
    }
}
