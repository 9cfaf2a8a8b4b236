package import Checks
package import Encodings
package import Files
package import Sorting

/// A value that is stored as a record.
package protocol Recorded {
    /// A value with nothing read yet.
    static var unread: Self { get }

    /// Writes or reads all fields.
    mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure)
}

extension Recorded {
    /// Reads a whole record.
    package init(record: Span<UInt8>) throws(RecordError) {
        self = .unread
        var fields = RecordReader(record)
        try code(&fields)
        try fields.end()
    }
}

/// A value whose records are sorted by a prefix first, and then by their bytes.
package protocol SortedRecord: Recorded {
    var prefix: UInt64 { get }
}

extension SortedRecord {
    /// Calls a body with each value in some runs, in the order of their records.
    package static func forEach(in runs: [SortedRun], _ body: (Self) throws -> Void) throws {
        try RunMerge.forEachRecord(of: runs) { try body(Self(record: $1)) }
    }
}

extension RunMerge {
    /// Reads the next record. There must be one.
    func value<Value: Recorded>() throws -> Value {
        var value = Value.unread
        try withRecord { value = try Value(record: $0) }
        return value
    }
}

/// Sorts values by their records, in bounded memory.
package final class ValueSorter<Value: SortedRecord> {
    private let sorter: RecordSorter
    private var record = RecordWriter()

    package init(_ storage: Storage) { sorter = RecordSorter(budget: storage.memory, folder: storage.folder) }

    package func add(_ value: Value) throws(FileError) {
        var value = value
        record.removeAll()
        value.code(&record)
        try sorter.add(value.prefix, record)
    }

    /// Adds the records of other sorters of such values.
    func add(_ runs: [SortedRun]) throws {
        try RunMerge.forEachRecord(of: runs) { prefix, record in try sorter.add(prefix, record) }
    }

    /// Returns the records in order, and starts over.
    package func finish() throws(FileError) -> [SortedRun] { try sorter.finish() }

    /// Calls a body with each value in order, once.
    package func forEach(_ body: (Value) throws -> Void) throws { try Value.forEach(in: finish(), body) }
}

/// A value with what decides its place in the order.
package struct Keyed<Key: SortedRecord, Value: Recorded>: SortedRecord {
    package var key: Key
    package var value: Value

    package init(_ key: Key, _ value: Value) { (self.key, self.value) = (key, value) }

    package static var unread: Keyed { Keyed(.unread, .unread) }

    package var prefix: UInt64 { key.prefix }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try key.code(&coder)
        try value.code(&coder)
    }
}

extension ExactText: Recorded {
    package static var unread: ExactText { "" }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text(&self)
    }

    /// The first octets as a number, nearly in the order of texts.
    func prefix(_ count: Int = 8) -> UInt64 {
        var rest = utf8.makeIterator()
        return (0..<count).reduce(0) { prefix, _ in prefix << 8 | UInt64(rest.next() ?? 0) }
    }
}

extension IdentityHash: SortedRecord {
    package static var unread: IdentityHash { .none }

    package var prefix: UInt64 { high }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.identity(&self)
    }
}
