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

    /// The types of purchases in apps. Others are downloads and updates of apps, and restores (`IA3`), which sell nothing.
    static let types: Set<ExactText> = ["IA1", "IA1-M", "IA9", "IA9-M", "IAY", "IAY-M", "FI1"]
    /// The maximum length of an id: that of Apple's column.
    private static let maxLength = 2000
    private static let maxUnits: UInt = 1 << 31

    /// - Throws: if a row cannot be counted, with its number.
    init(_ text: ByteArena) throws(StreamDamage) {
        let bytes = text.span(text.byteOrderMark..<text.count)
        var columns: SalesColumns?
        var (start, number) = (0, 0)
        while start < bytes.count {
            let end = bytes.firstIndex(of: 0x0a, from: start) ?? bytes.count
            let line = bytes.extracting(start..<end).withoutLineEnd
            (start, number) = (end + 1, number + 1)
            guard let header = columns else {
                columns = try SalesColumns(header: line)
                continue
            }
            guard !line.withoutBlanks.isEmpty else { continue }
            do throws(StreamDamage) { try add(header.cells(of: line)) } catch {
                throw StreamDamage(reason: "row \(number): \(error.reason)")
            }
        }
        if columns == nil { throw StreamDamage(reason: "is empty") }
    }

    private mutating func add(_ cells: [SalesColumns.Name: ExactText]) throws(StreamDamage) {
        let cell = { cells[$0] ?? "" }
        let day = try Self.day(cell(.begin))
        guard try Self.day(cell(.end)) == day else {
            throw StreamDamage(reason: "is of several days, and only daily reports can be compared")
        }
        days.insert(day)
        guard Self.types.contains(cell(.type)), !Self.isZero(cell(.price)) else { return }
        let (product, parent) = (cell(.product), cell(.parent))
        guard !product.isEmpty, product.utf8.count <= Self.maxLength, parent.utf8.count <= Self.maxLength else {
            throw StreamDamage(reason: "SKU is empty, or an id is longer than \(Self.maxLength) bytes")
        }
        let units = try Self.units(cell(.units))
        let key = Key(product: product, parent: parent, day: day)
        if units < 0 {
            rows[key, default: .init()].refunds += -units
        } else {
            rows[key, default: .init()].units += units
        }
        for name in SalesColumns.Name.allCases { fingerprint = stableMix(fingerprint ^ cell(name).stableHash) }
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

    /// Whether a price is 0, or not stated.
    private static func isZero(_ price: ExactText) -> Bool { !price.utf8.contains { (0x31...0x39).contains($0) } }
}

/// The places of the columns that count, in a report of any version.
struct SalesColumns {
    /// The columns as Apple names them.
    enum Name: String, CaseIterable {
        case product = "SKU"
        case type = "Product Type Identifier"
        case units = "Units"
        case begin = "Begin Date"
        case end = "End Date"
        case country = "Country Code"
        case price = "Customer Price"
        case parent = "Parent Identifier"
    }

    private var places: [(name: Name, place: Int)] = []

    init(header line: Span<UInt8>) throws(StreamDamage) {
        let titles = Self.cells(of: line)
        for name in Name.allCases {
            guard let place = titles.firstIndex(of: ExactText(name.rawValue)) else {
                throw StreamDamage(reason: "is no Summary Sales report: its first row has no column “\(name.rawValue)”")
            }
            places.append((name, place))
        }
    }

    /// Returns the cells of a row, which may be shorter than the header.
    func cells(of line: Span<UInt8>) throws(StreamDamage) -> [Name: ExactText] {
        let cells = Self.cells(of: line)
        var found: [Name: ExactText] = [:]
        for (name, place) in places where place < cells.count { found[name] = cells[place] }
        return found
    }

    private static func cells(of line: Span<UInt8>) -> [ExactText] {
        var cells: [ExactText] = []
        var start = 0
        while start <= line.count, cells.count < 100 {
            let end = line.firstIndex(of: 0x09, from: start) ?? line.count
            cells.append(ExactText(repairing: line.extracting(start..<end).withoutBlanks))
            start = end + 1
        }
        return cells
    }
}

extension Span<UInt8> {
    /// The line without the CR of a Windows line break.
    fileprivate var withoutLineEnd: Span<UInt8> {
        @_lifetime(copy self)
        get { count > 0 && self[count - 1] == 0x0d ? extracting(..<(count - 1)) : self }
    }
}
