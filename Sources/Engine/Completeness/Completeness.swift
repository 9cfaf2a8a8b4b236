public import Encodings
import Inputs
import Sorting

/// What Apple sold according to its sales reports, compared with what proofs and evidence of a run show.
public struct Completeness: Sendable {
    /// A product on a day: a row of the table `completeness`.
    public struct Row: Equatable, Sendable {
        /// The day of Apple's report.
        public var day: Instant
        public var productID: ExactText
        /// The bundle id, where proofs show it; otherwise the SKU of the app.
        public var app: ExactText
        /// What Apple sold, and what was given back on that day.
        public var units, refunds: Int
        /// How many of the day claims prove, and how many only evidence shows.
        public var proofs, evidenceOnly: Int
        /// How many nothing shows; `nil` if the export does not cover the day.
        public var missing: Int?
    }

    /// By day, then by product.
    public let rows: [Row]
    /// The number of days with a report.
    public let days: Int
    /// Why reports were not counted.
    public let faults: [String]
    /// The apps without a product that a proof shows: nothing of theirs counts as missing.
    public let unseenApps: [ExactText]

    /// The units of days that the export covers.
    public var units: Int { rows.reduce(0) { $1.missing == nil ? $0 : $0.addingSaturating($1.units) } }
    public var missing: Int { rows.reduce(0) { $0.addingSaturating($1.missing ?? 0) } }

    /// - Parameters:
    ///   - shown: the sorted transactions of all workers.
    ///   - since: the earliest presentation of a claim; earlier days are not covered. `nil` if no claim has a date.
    init(_ sales: SalesReports, shown: [SortedRun], since: Instant?) throws {
        var seen = ShownUnits(sales)
        try seen.read(shown)
        let apps = SoldApps(sales, seen.bundles)
        let days = sales.days.sorted()
        let first = since.map { Int($0.day) } ?? .min
        var rows: [Row] = []
        for (product, id) in sales.products.enumerated() {
            let units = days.map { sales.cells[.init(product: product, day: $0)] ?? .init() }
            let known = days.map { seen.counts[.init(product: product, day: $0)] ?? ShownUnits.Count() }
            // Items of Advanced Commerce are named in sales reports only.
            let span = id.hasPrefix("'") ? nil : apps.span(of: product, seen.spans)
            let missing = UnitMatch.missing(
                days: days, sold: units.map(\.units), shown: known.map { $0.proofs.addingSaturating($0.evidenceOnly) })
            for (index, day) in days.enumerated() where units[index] != .init() || known[index] != .init() {
                let isCovered = span.map { $0.contains(day) && day >= first } ?? false
                rows.append(
                    Row(
                        day: Instant(day: Int64(day)), productID: id, app: apps.name(of: product),
                        units: units[index].units, refunds: units[index].refunds, proofs: known[index].proofs,
                        evidenceOnly: known[index].evidenceOnly, missing: isCovered ? missing[index] : nil))
            }
        }
        self.rows = rows.sorted { ($0.day, $0.productID) < ($1.day, $1.productID) }
        self.days = days.count
        faults = sales.faults
        unseenApps = apps.unseen
    }
}

/// The units that proofs and evidence show, by product and day, each transaction once.
private struct ShownUnits {
    struct Count: Equatable {
        var proofs = 0
        var evidenceOnly = 0
    }

    private let sales: SalesReports
    /// The units on days that have a report.
    private(set) var counts: [SalesReports.Cell: Count] = [:]
    /// The apps that show each product.
    private(set) var bundles: [Set<ExactText>]
    /// The first and the last day of a purchase of each app.
    private(set) var spans: [ExactText: ClosedRange<Int>] = [:]

    private static let maxBundles = 1000

    init(_ sales: SalesReports) {
        self.sales = sales
        bundles = Array(repeating: [], count: sales.products.count)
    }

    mutating func read(_ runs: [SortedRun]) throws {
        var current: ShownSale?
        try RunMerge.forEachRecord(of: runs) { _, record in
            let next = try ShownSale(record: record)
            guard var sale = current, sale.identity == next.identity else {
                if let sale = current { count(sale) }
                current = next
                return
            }
            // A restored purchase has a later date in some proofs.
            sale.day = min(sale.day, next.day)
            sale.quantity = max(sale.quantity, next.quantity)
            current = sale
        }
        if let sale = current { count(sale) }
    }

    private mutating func count(_ sale: ShownSale) {
        guard bundles.indices.contains(sale.product) else { return }
        if bundles[sale.product].count < Self.maxBundles { bundles[sale.product].insert(sale.bundleID) }
        let span = spans[sale.bundleID] ?? sale.day...sale.day
        spans[sale.bundleID] = min(span.lowerBound, sale.day)...max(span.upperBound, sale.day)
        guard sales.days.contains(sale.day) else { return }
        let cell = SalesReports.Cell(product: sale.product, day: sale.day)
        if sale.isEvidence {
            counts[cell, default: Count()].evidenceOnly += sale.quantity
        } else {
            counts[cell, default: Count()].proofs += sale.quantity
        }
    }
}

/// Which app a product is of. Reports name apps by SKU, proofs by bundle id; the products in both connect them.
private struct SoldApps {
    private let parents: [Set<ExactText>]
    /// The apps whose proofs show the most products of a SKU.
    private var bundles: [ExactText: Set<ExactText>] = [:]

    init(_ sales: SalesReports, _ shown: [Set<ExactText>]) {
        parents = sales.parents
        var counts: [ExactText: [ExactText: Int]] = [:]
        for (product, parents) in parents.enumerated() {
            for parent in parents {
                counts[parent, default: [:]].merge(shown[product].map { ($0, 1) }, uniquingKeysWith: +)
            }
        }
        for (parent, counts) in counts {
            let most = counts.values.max()
            bundles[parent] = Set(counts.filter { $0.value == most }.keys)
        }
    }

    /// The SKUs of apps that no proof is of.
    var unseen: [ExactText] { bundles.filter(\.value.isEmpty).keys.sorted() }

    func name(of product: Int) -> ExactText {
        let names = parents[product].map { parent in
            bundles[parent].flatMap { $0.count == 1 ? $0.first : nil } ?? parent
        }
        return ExactText(Set(names).sorted().map(\.text).joined(separator: ", "))
    }

    /// Returns the days from the first to the last purchase that proofs show of a product's apps.
    func span(of product: Int, _ spans: [ExactText: ClosedRange<Int>]) -> ClosedRange<Int>? {
        let known = parents[product].flatMap { bundles[$0] ?? [] }.compactMap { spans[$0] }
        guard let first = known.map(\.lowerBound).min(), let last = known.map(\.upperBound).max() else { return nil }
        return first...last
    }
}
