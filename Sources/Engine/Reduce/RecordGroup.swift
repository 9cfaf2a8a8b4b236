import Files
import Rules
import Sorting

/// The records of one key, held as they come. More than a few thousand go to a sorter of their own, which may
/// put them into files.
struct RecordGroup {
    /// How many are held here.
    private static let maxHeld = 4096
    /// How many bytes the sorter may hold.
    private static let sorterBudget = 1 << 20

    private let folder: String
    /// The octets with which each of the records begins.
    private var keyOctets: [UInt8] = []
    private(set) var kind = KeyKind.receipt
    private(set) var count = 0
    /// What there is in any of the records.
    private(set) var flags: ObservationFlags = []
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var sorter: RecordSorter?

    init(folder: String) { self.folder = folder }

    /// Whether a record has the same key.
    func isKey(of record: Span<UInt8>) -> Bool {
        guard record.count >= keyOctets.count, !keyOctets.isEmpty else { return false }
        for index in keyOctets.indices where record[index] != keyOctets[index] { return false }
        return true
    }

    /// Starts with the key of a record.
    mutating func begin(_ record: Span<UInt8>) {
        keyOctets.removeAll(keepingCapacity: true)
        keyOctets.append(copying: record.extracting(first: ObservationRecord.keyLength(of: record)))
        kind = KeyKind(rawValue: record[0]) ?? .receipt
        count = 0
        flags = []
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        sorter = nil
    }

    /// Forgets the records.
    mutating func clear() {
        keyOctets.removeAll(keepingCapacity: true)
        count = 0
    }

    mutating func add(_ record: Span<UInt8>) throws(FileError) {
        count += 1
        flags.formUnion(ObservationRecord.flags(of: record))
        if let sorter { return try sorter.add(0, record) }
        bytes.append(copying: record)
        ends.append(bytes.count)
        if ends.count == Self.maxHeld { try moveToSorter() }
    }

    private mutating func moveToSorter() throws(FileError) {
        let sorter = RecordSorter(budget: Self.sorterBudget, folder: folder)
        var start = 0
        for end in ends {
            try sorter.add(0, bytes.span.extracting(start..<end))
            start = end
        }
        bytes.removeAll()
        ends.removeAll()
        self.sorter = sorter
    }

    /// What the records say, to be gone through any number of times.
    func gathered() throws(FileError) -> GatheredGroup {
        let key = ObservationRecord.key(of: keyOctets.span)
        if let sorter { return GatheredGroup(key: key, count: count, held: [], runs: try sorter.finish()) }
        var held: [Observation] = []
        held.reserveCapacity(ends.count)
        var start = 0
        for end in ends {
            held.append(ObservationRecord.observation(of: bytes.span.extracting(start..<end)))
            start = end
        }
        return GatheredGroup(key: key, count: count, held: held, runs: [])
    }
}

/// A group whose observations are in memory, or in sorted runs.
struct GatheredGroup: ObservationGroup {
    let key: GroupKey
    let count: Int
    let held: [Observation]
    let runs: [SortedRun]

    func forEach(_ body: (Observation) -> Void) throws {
        held.forEach(body)
        guard !runs.isEmpty else { return }
        var merge = try RunMerge(runs)
        while !merge.isAtEnd {
            merge.withRecord { body(ObservationRecord.observation(of: $0)) }
            try merge.advance()
        }
    }
}
