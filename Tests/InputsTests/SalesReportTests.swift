import Encodings
import Testing

@testable import Inputs

struct `Sales reports` {
    let folder: Scratch

    init() throws { folder = try Scratch() }

    /// Reads the reports in the folder.
    func read() throws -> SalesReports { try SalesReports(GivenPath("sales", at: folder.path)) }

    /// What a report counts, as `product day units refunds`.
    func counts(_ rows: String...) throws -> [String] {
        try folder.write("S_D_1.txt", report(rows))
        let reports = try read()
        #expect(reports.faults == [])
        return lines(reports)
    }

    /// The reason why a report counts nothing.
    func fault(_ text: String) throws -> String? {
        try folder.write("S_D_1.txt", text)
        let reports = try read()
        #expect(reports.cells.isEmpty)
        return reports.faults.first
    }

    func lines(_ reports: SalesReports) -> [String] {
        reports.cells.map { cell, count in
            "\(reports.products[cell.product]) \(cell.day) \(count.units) \(count.refunds)"
        }.sorted()
    }

    @Test(arguments: ["IA1", "IA1-M", "IA9", "IA9-M", "IAY", "IAY-M", "FI1"])
    func `count purchases in apps of every type`(type: String) throws {
        #expect(try counts(row("a", type: type)) == ["a 20500 1 0"])
    }

    @Test(arguments: ["1", "1F", "3", "3F", "7", "7F", "F1", "1-B", "IA3", "IAC", ""])
    func `count no apps, updates, bundles of apps and restores`(type: String) throws {
        #expect(try counts(row("a", type: type)) == [])
    }

    @Test func `count nothing that is free`() throws {
        #expect(try counts(row("a", price: "0"), row("a", price: "0.00"), row("a", price: "")) == [])
    }

    @Test func `count negative units as refunds`() throws {
        #expect(try counts(row("a", units: "5"), row("a", units: "-2", price: "-0.99")) == ["a 20500 5 2"])
    }

    @Test func `add up the rows of a product, of all countries and price tiers`() throws {
        let rows = (1...95).map { row("a", units: "2", price: "\($0).99", country: $0 % 2 == 0 ? "US" : "JP") }
        try folder.write("S_D_1.txt", report(rows))
        #expect(try lines(read()) == ["a 20500 190 0"])
    }

    @Test func `add up several vendors, whose folders may be below`() throws {
        try folder.write("1/S_D_1.txt", report([row("a", parent: "app-1")]))
        try folder.write("2/S_D_2.txt.gz", gzip(Array(report([row("a", parent: "app-2")]).utf8)))
        let reports = try read()
        #expect(lines(reports) == ["a 20500 2 0"])
        #expect(reports.parents == [["app-1", "app-2"]])
    }

    @Test func `count a report once that is there packed and unpacked, or in both versions`() throws {
        let text = report([row("a")])
        try folder.write("S_D_1.txt", text)
        try folder.write("S_D_1.txt.gz", gzip(Array(text.utf8)))
        try folder.write("S_D_1-1_1.txt", report([row("a")], version: "1_1"))
        #expect(try lines(read()) == ["a 20500 1 0"])
    }

    @Test func `find columns by their names, in any order`() throws {
        let text = """
            Parent Identifier\tUnits\tSKU\tCountry Code\tEnd Date\tBegin Date\tCustomer Price\tProduct Type Identifier\r
            app\t3.00\ta\tUS\t02/16/2026\t02/16/2026\t1\tIAY\r

            """
        try folder.write("S_D_1.txt", text)
        #expect(try lines(read()) == ["a 20500 3 0"])
    }

    @Test func `know the days without a sale`() throws {
        #expect(try counts(row("app", type: "1F", price: "0")) == [])
        #expect(try read().days == [20500])
    }

    @Test func `keep the quoted list of items that Advanced Commerce sells as one product`() throws {
        #expect(try counts(row("'sku 1','sku 2'")) == ["'sku 1','sku 2' 20500 1 0"])
    }

    @Test(arguments: [
        ("", "is empty"), ("<html>\n", "is no Summary Sales report: its first row has no column “SKU”"),
        (report([row("a"), row("a", units: "1.5")]), "row 3: “1.5” is not a number of units"),
        (report([row("a", units: "9223372036854775807")]), "row 2: “9223372036854775807” is not a number of units"),
        (report([row("a", units: "-9223372036854775808")]), "row 2: “-9223372036854775808” is not a number of units"),
        (report([row("a", day: "02/30/2026")]), "row 2: “02/30/2026” is not a date like 06/30/2026"),
        (report([row("a", day: "2026-02-16")]), "row 2: “2026-02-16” is not a date like 06/30/2026"),
        (report([row("a", end: "02/22/2026")]), "row 2: is of several days, and only daily reports can be compared"),
        (report([row("")]), "row 2: SKU is empty, or an id is longer than 2000 bytes"),
    ])
    func `that cannot be counted are told, with file and row, and count nothing`(text: String, reason: String) throws {
        #expect(try fault(text) == "sales/S_D_1.txt: \(reason); nothing of this file is counted")
    }

    @Test func `that are damaged count nothing, wherever they are cut`() throws {
        let whole = gzip(Array(report([row("a")]).utf8))
        for count in stride(from: 1, to: whole.count, by: 7) {
            try folder.write("S_D_1.txt.gz", Array(whole[..<count]))
            let reports = try read()
            #expect(reports.cells.isEmpty && reports.days.isEmpty)
            #expect(reports.faults.count == 1)
        }
    }

    @Test func `are held up to a number of days of products`() throws {
        try folder.write("1.txt", report([row("a"), row("b")]))
        try folder.write("2.txt", report([row("a", day: "02/17/2026")]))
        let reports = try SalesReports(GivenPath("sales", at: folder.path), maxCells: 2)
        #expect(lines(reports) == ["a 20500 1 0", "b 20500 1 0"])
        let reason = "with it the folder has more than 2 days of products: give fewer days"
        #expect(reports.faults == ["sales/2.txt: \(reason); nothing of this file is counted"])
    }

    @Test func `add up beyond all numbers without a trap`() throws {
        for vendor in 1...9 {
            try folder.write("\(vendor).txt", report([row("a", units: "2147483648", parent: "\(vendor)")]))
        }
        #expect(try lines(read()) == ["a 20500 19327352832 0"])
    }

    @Test func `are needed`() throws {
        try folder.write("notes.md", "nothing")
        #expect(throws: InputError.unreadable(path: "sales", reason: "holds no sales report (.txt, .txt.gz)")) {
            try read()
        }
        #expect(throws: InputError.self) { try SalesReports(GivenPath(folder.path + "/none")) }
    }
}

/// A report of Apple's columns.
func report(_ rows: [String], version: String = "1_0") -> String {
    let header =
        "Provider\tProvider Country\tSKU\tDeveloper\tTitle\tVersion\tProduct Type Identifier\tUnits\tDeveloper Proceeds\t"
        + "Begin Date\tEnd Date\tCustomer Currency\tCountry Code\tCurrency of Proceeds\tApple Identifier\tCustomer Price\t"
        + "Promo Code\tParent Identifier\tSubscription\tPeriod\tCategory\tCMB\tDevice\tSupported Platforms\t"
        + "Proceeds Reason\tPreserved Pricing\tClient" + (version == "1_0" ? "" : "\tOrder Type")
    return ([header] + rows).joined(separator: "\n") + "\n"
}

/// A row of a report.
func row(
    _ product: String, type: String = "IA1", units: String = "1", price: String = "0.99", country: String = "US",
    day: String = "02/16/2026", end: String? = nil, parent: String = "app"
) -> String {
    "APPLE\tUS\t\(product)\tACME\tTitle\t \t\(type)\t\(units)\t0.7\t\(day)\t\(end ?? day)\tUSD\t\(country)\tUSD\t"
        + "123\t\(price)\t \t\(parent)\t \t \tGames\t \tiPhone\tiOS\t \t \t "
}
