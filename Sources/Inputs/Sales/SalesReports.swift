public import Encodings
import Files

/// What Apple's daily Summary Sales reports say was sold: units and refunds, by product and day.
///
/// It is held in memory: at most ``maxCells`` days of products.
public struct SalesReports: Sendable {
    /// A day of a product.
    public struct Cell: Hashable, Sendable {
        /// The index in ``products``.
        public let product: Int
        /// The day of the report, in days since 1970-01-01.
        public let day: Int

        public init(product: Int, day: Int) { (self.product, self.day) = (product, day) }
    }

    /// What was sold and refunded on a day.
    public struct Count: Equatable, Sendable {
        public internal(set) var units = 0
        /// The units with a negative sign.
        public internal(set) var refunds = 0

        /// - Parameters:
        ///   - units: the units that were sold.
        ///   - refunds: the units that were given back.
        public init(units: Int = 0, refunds: Int = 0) { (self.units, self.refunds) = (units, refunds) }
    }

    /// The product ids, in the order in which they were read.
    public private(set) var products: [ExactText] = []
    /// The parent identifiers of each product: the SKUs of its apps.
    public private(set) var parents: [Set<ExactText>] = []
    public private(set) var cells: [Cell: Count] = [:]
    /// The days that have a report, even without a sale.
    public private(set) var days: Set<Int> = []
    /// Why files were not counted, each with its name and row.
    public private(set) var faults: [String] = []
    private var places: [ExactText: Int] = [:]
    private var known: Set<UInt64> = []

    /// The maximum number of days of products: 1,400 products over a year.
    public static let maxCells = 1 << 19
    /// The maximum size of a report, without compression.
    static let maxFileSize = 64 << 20

    /// Reads the reports of a folder, and of those in it: files named `.txt`, `.tsv` or `.gz`. A file is counted whole,
    /// or not at all.
    ///
    /// - Throws: if there is no such folder, or no report in it.
    public init(_ folder: GivenPath) throws(InputError) { try self.init(folder, maxCells: Self.maxCells) }

    init(_ folder: GivenPath, maxCells: Int) throws(InputError) {
        for name in try FolderWalk.files(in: folder.path).names
        where [".txt", ".tsv", ".gz"].contains(where: { name.hasExtension($0) }) {
            do throws(StreamDamage) {
                try add(SalesFile(try Self.bytes(of: folder.path + "/" + name)), maxCells)
            } catch {
                faults.append("\(folder.written)/\(name): \(error.reason); nothing of this file is counted")
            }
        }
        guard !days.isEmpty || !faults.isEmpty else {
            throw .unreadable(path: folder.written, reason: "holds no sales report (.txt, .txt.gz)")
        }
    }

    /// Returns the index of a product; `nil` if no report names it.
    public func place(of product: ExactText) -> Int? { places[product] }

    private static func bytes(of path: String) throws(StreamDamage) -> ByteArena {
        let stream: any ByteStream
        do throws(InputError) {
            stream = try InputFile(path).stream
        } catch {
            throw StreamDamage(reason: "cannot be read")
        }
        var arena = ByteArena()
        while try stream.read(into: &arena, atMost: 1 << 20) > 0 {
            guard arena.count <= maxFileSize else {
                throw StreamDamage(reason: "is longer than a sales report, 64 MiB")
            }
        }
        return arena
    }

    /// Adds a report, unless it was added before: a folder may hold it twice, packed and unpacked, or in two versions.
    private mutating func add(_ file: SalesFile, _ maxCells: Int) throws(StreamDamage) {
        guard known.insert(file.fingerprint).inserted else { return days.formUnion(file.days) }
        guard cells.count + file.rows.count <= maxCells else {
            throw StreamDamage(reason: "with it the folder has more than \(maxCells) days of products: give fewer days")
        }
        days.formUnion(file.days)
        for row in file.rows {
            let place = places[row.key.product] ?? products.count
            if place == products.count {
                places[row.key.product] = place
                products.append(row.key.product)
                parents.append([])
            }
            parents[place].insert(row.key.parent)
            let cell = Cell(product: place, day: row.key.day)
            let known = cells[cell] ?? Count()
            cells[cell] = Count(
                units: known.units.addingSaturating(row.value.units),
                refunds: known.refunds.addingSaturating(row.value.refunds))
        }
    }
}
