/// A dictionary that is encoded in the order of its keys, so that equal dictionaries have equal encodings.
///
/// Swift encodes a dictionary with keys other than `String` and `Int` as alternating keys and values, in the order of a
/// hash that differs between processes.
@propertyWrapper
public struct SortedByKey<Key: Hashable & Comparable & Sendable, Value: Sendable>: Sendable {
    public var wrappedValue: [Key: Value]

    public init(wrappedValue: [Key: Value]) { self.wrappedValue = wrappedValue }
}

extension SortedByKey: Codable where Key: Codable, Value: Codable {
    /// Reads alternating keys and values; for a duplicate key the last value counts, as in Swift.
    public init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        wrappedValue = [:]
        while !list.isAtEnd {
            let key = try list.decode(Key.self)
            wrappedValue[key] = try list.decode(Value.self)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for (key, value) in wrappedValue.sorted(by: { $0.key < $1.key }) {
            try list.encode(key)
            try list.encode(value)
        }
    }
}

extension SortedByKey: Equatable where Value: Equatable {}
