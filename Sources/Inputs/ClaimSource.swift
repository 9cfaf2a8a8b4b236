public import Encodings
import Synchronization

/// A source of claims, in their order, in blocks.
///
/// One thread at a time may ask for the next block. Slow work that can be done elsewhere is left to ``ClaimLoader`` and
/// ``ClaimDecoder``.
public protocol ClaimSource: AnyObject {
    /// Returns the next block, or `nil` at the end.
    func next() throws(InputError) -> ClaimBlock?

    /// The entries that have been left out so far.
    var omissions: Omissions { get }

    /// The fraction of the input that has been read, from 0 to 1, if it is known.
    var fraction: Double? { get }
}

/// The contents of inputs that are not claims.
public struct Omissions: Sendable {
    public var skipped = SkippedEntries()
    /// Unknown columns and keys, in the order in which they were found.
    public var unknownColumns: [String] = []
    /// The first hundred damaged places of inputs, in the order of claims.
    public private(set) var damages: [InputDamage] = []
    /// The number of damaged places.
    public private(set) var damageCount = 0
    /// The number of damaged places after which claims or evidence may be missing.
    public private(set) var lossCount = 0
    /// Signs that the inputs are not what was meant, each with the remedy. The first hundred.
    public package(set) var doubts: [String] = []
    /// The folders without a manifest; the first hundred.
    public package(set) var foldersWithoutManifest: [String] = []
    /// Sentences about manifests that are of no use for most of their rows, or for most files. The first hundred.
    public package(set) var manifestFaults: [String] = []
    /// Sentences about what was not read and need not be. The first hundred.
    public package(set) var notes: [String] = []
    /// Sentences about files and folders without evidence. The first hundred.
    public package(set) var emptyEvidence: [String] = []
    /// The user's names for columns, and the names in INPUTs.
    package var columnSearch = ColumnSearch()
    /// The first values under unknown names.
    var unknownValues = UnknownValues()

    public init() {}

    /// The user's names for columns that no INPUT has.
    public var absentColumns: [AbsentColumn] { columnSearch.absent }

    public static func + (first: Omissions, second: Omissions) -> Omissions {
        var sum = first
        sum.skipped += second.skipped
        sum.add(unknownColumns: second.unknownColumns)
        for damage in second.damages { sum.add(damage) }
        sum.damageCount = first.damageCount.addingSaturating(second.damageCount)
        sum.lossCount = first.lossCount.addingSaturating(second.lossCount)
        for list in lists { for text in second[keyPath: list] { sum.add(text, to: list) } }
        sum.columnSearch.add(second.columnSearch)
        sum.unknownValues += second.unknownValues
        return sum
    }

    private static let lists: [any WritableKeyPath<Omissions, [String]> & Sendable] = [
        \.doubts, \.foldersWithoutManifest, \.manifestFaults, \.notes, \.emptyEvidence,
    ]

    /// Adds a sentence or a name to a list, if it is among the first.
    package mutating func add(_ text: String, to list: WritableKeyPath<Omissions, [String]>) {
        if self[keyPath: list].count < 100 { self[keyPath: list].append(text) }
    }

    mutating func add(_ damage: InputDamage) {
        damageCount = damageCount.addingSaturating(1)
        if damage.losesRows { lossCount = lossCount.addingSaturating(1) }
        if damages.count < 100 { damages.append(damage) }
    }

    /// Adds the number of damages from another process, and the first of them.
    package mutating func add(damages first: [InputDamage], of count: Int) {
        for damage in first { add(damage) }
        let others = max(0, count - first.count)
        damageCount = damageCount.addingSaturating(others)
        lossCount = lossCount.addingSaturating(others)
    }

    /// Records columns without a known name or alias.
    package mutating func add(unknownColumns names: [String]) {
        // An untrusted file may have any number of them.
        for name in names where unknownColumns.count < FirstNames.max {
            if !unknownColumns.contains(where: { $0.hasSameBytes(as: name) }) { unknownColumns.append(name) }
        }
    }
}

/// A place where a table or its lines cannot be read, so that claims after it may be missing.
public struct InputDamage: Equatable, Sendable, Codable {
    /// The row, in the form of claim names: `export.csv:17`.
    public let source: String
    public let reason: String
    /// Whether claims or evidence may be missing. There may also be none.
    public var losesRows = true

    /// The reason for a file that ends within a row, like an interrupted export.
    static let cutShort = "the last row breaks off: the file may be cut short"

    /// The text for people: `export.ndjson.gz:1763: the compressed file is truncated`.
    public var description: String { source + ": " + reason }
}

/// The entries of folders that are not receipts.
public struct SkippedEntries: Sendable {
    /// Devices, FIFOs and sockets.
    public internal(set) var specialFiles = 0
    /// Symbolic links to folders, which are not followed, and links that are broken or lead outside.
    public internal(set) var links = 0
    /// The number of files that systems and programs leave next to others, ``LeftoverFile``.
    public private(set) var leftovers = 0
    /// The kinds of these.
    public private(set) var leftoverKinds: Set<ExactText> = []
    /// The number of folders that could not be read completely.
    public private(set) var unreadableFolders = 0
    private var firstUnreadable = FirstNames()

    /// The paths of the first unreadable folders, in byte order.
    public var unreadablePaths: [String] { firstUnreadable.names }

    /// The names of system folders that only their owner may read, which contain no claims.
    private static let ofSystem = ["lost+found", ".Trash-"]

    /// Whether an unreadable folder may contain claims.
    public var mayHoldClaims: Bool {
        guard unreadableFolders == unreadablePaths.count else { return true }
        return unreadablePaths.contains { path in
            let name = path.split(separator: "/").last ?? ""
            return name != Self.ofSystem[0] && !name.hasPrefix(Self.ofSystem[1])
        }
    }

    package init() {}

    /// Records an unreadable folder. After the first hundred they are only counted.
    package mutating func add(unreadableFolder path: String) {
        unreadableFolders += 1
        firstUnreadable.add(path)
    }

    /// Counts a file of a kind.
    mutating func add(leftover kind: ExactText) {
        leftovers += 1
        leftoverKinds.insert(kind)
    }

    static func += (a: inout SkippedEntries, b: SkippedEntries) {
        a.specialFiles += b.specialFiles
        a.links += b.links
        a.leftovers += b.leftovers
        a.leftoverKinds.formUnion(b.leftoverKinds)
        a.unreadableFolders += b.unreadableFolders
        for path in b.unreadablePaths { a.firstUnreadable.add(path) }
    }
}

/// The first hundred of many untrusted names in byte order, whatever the order in which they are found.
package struct FirstNames: Sendable {
    private static let maxLength = 100
    /// The maximum number of stored names.
    static let max = 100

    /// The names in byte order.
    package private(set) var names: [String] = []

    package init() {}

    /// Whether a name is short enough for a summary.
    static func mayBeNamed(_ name: String) -> Bool { name.utf8.count <= maxLength }

    /// Inserts a name unless it is present, or long.
    package mutating func insert(_ name: String) {
        let place = place(of: name)
        guard Self.mayBeNamed(name), place == names.count || !names[place].hasSameBytes(as: name) else { return }
        insert(name, at: place)
    }

    /// Inserts a name, even if another entry has the same.
    mutating func add(_ name: String) { insert(name, at: place(of: name)) }

    /// Returns the index of a name, or its insertion index.
    private func place(of name: String) -> Int {
        var (low, high) = (0, names.count)
        while low < high {
            let middle = (low + high) / 2
            if names[middle].utf8.lexicographicallyPrecedes(name.utf8) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func insert(_ name: String, at place: Int) {
        guard place < Self.max else { return }
        names.insert(name, at: place)
        if names.count > Self.max { names.removeLast() }
    }
}

/// The unknown JSON keys of all claims, shared by workers, to be named once in the summary.
final class UnknownKeys: Sendable {
    private let unknown = Mutex(FirstNames())

    var names: [String] { unknown.withLock { $0.names } }

    func insert(_ name: String) { unknown.withLock { $0.insert(name) } }
}
