import Files
import Rules
import Sorting

/// The records of one key, held in memory in arrival order. Beyond a few thousand they go to a separate sorter, which
/// may spill them to files.
struct RecordGroup {
    /// The maximum number of records held here.
    private static let maxHeld = 4096
    /// The maximum number of bytes held in the sorter.
    private static let sorterBudget = 1 << 20

    private let folder: String
    private(set) var key = GroupKey(.receipt, octets: [])
    /// The common prefix of the records, their key; empty without a group.
    private var keyOctets: [UInt8] = []
    private(set) var count = 0
    /// The records without their keys.
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
    mutating func begin(_ record: Span<UInt8>) throws(RecordError) {
        let (key, length) = try ObservationRecord.key(of: record)
        begin(key)
        keyOctets.removeAll(keepingCapacity: true)
        keyOctets.append(copying: record.extracting(first: length))
    }

    mutating func begin(_ key: GroupKey) {
        clear()
        self.key = key
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        sorter = nil
    }

    /// Drops the records.
    mutating func clear() {
        keyOctets.removeAll(keepingCapacity: true)
        count = 0
    }

    /// Adds a record with the key of the group.
    mutating func add(_ record: Span<UInt8>) throws(FileError) {
        try add(body: record.extracting(keyOctets.count...))
    }

    /// Adds a record without its key.
    mutating func add(body: Span<UInt8>) throws(FileError) {
        count += 1
        if let sorter { return try sorter.add(0, body) }
        bytes.append(copying: body)
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

    /// Returns the group of observations, for any number of iterations.
    func gathered() throws -> GatheredGroup {
        if let sorter { return GatheredGroup(key: key, count: count, held: [], runs: try sorter.finish()) }
        let context = ObservationContext(key.kind, key.octets.span)
        var held: [Observation] = []
        held.reserveCapacity(ends.count)
        var start = 0
        for end in ends {
            held.append(try ObservationRecord.observation(of: bytes.span.extracting(start..<end), in: context))
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

    func forEach(_ body: (Observation) throws -> Void) throws {
        // Iterating a span does not copy the observations.
        let held = held.span
        for index in held.indices { try body(held[index]) }
        guard !runs.isEmpty else { return }
        let context = ObservationContext(key.kind, key.octets.span)
        try RunMerge.forEachRecord(of: runs) { try body(ObservationRecord.observation(of: $1, in: context)) }
    }
}
