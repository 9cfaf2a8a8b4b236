public import Checks
import Encodings

/// Counts over claims, which add up in any order.
public struct Tally: Sendable, Codable {
    public private(set) var claims = 0
    public private(set) var verdicts = Counts<Verdict>()
    public private(set) var failedChecks = Counts<Check>()
    public private(set) var deviceHashResults = Counts<DeviceHashResult>()

    public init() {}

    public mutating func count(_ facts: Facts) {
        claims = claims.addingSaturating(1)
        verdicts.count(facts.verdict)
        for check in facts.failed.sorted { failedChecks.count(check) }
        deviceHashResults.count(facts.deviceHash)
    }

    public static func += (tally: inout Tally, other: Tally) {
        tally.claims = tally.claims.addingSaturating(other.claims)
        tally.verdicts += other.verdicts
        tally.failedChecks += other.failedChecks
        tally.deviceHashResults += other.deviceHashResults
    }
}

extension Tally {
    /// Reads what ``write(to:)`` wrote.
    init(_ fields: inout RecordReader) {
        claims = fields.int()
        verdicts = Counts(&fields)
        failedChecks = Counts(&fields)
        deviceHashResults = Counts(&fields)
    }

    func write(to record: inout RecordWriter) {
        record.number(UInt64(claims))
        verdicts.write(to: &record)
        failedChecks.write(to: &record)
        deviceHashResults.write(to: &record)
    }
}

/// How often each of a few values occurred.
public struct Counts<Value: CaseIterable & Hashable & Sendable>: Sendable {
    private var counts: [Value: Int] = [:]

    public subscript(value: Value) -> Int { counts[value] ?? 0 }

    /// What occurred at all, in the order of the cases.
    public var occurring: [(value: Value, count: Int)] {
        Value.allCases.compactMap { value in counts[value].map { (value, $0) } }
    }

    mutating func count(_ value: Value) { counts[value, default: 0] += 1 }

    static func += (counts: inout Self, other: Self) { counts.counts.merge(other.counts) { $0.addingSaturating($1) } }
}

extension Counts {
    /// In the order of the cases.
    fileprivate init(_ fields: inout RecordReader) {
        for value in Value.allCases {
            let count = fields.int()
            if count > 0 { counts[value] = count }
        }
    }

    fileprivate func write(to record: inout RecordWriter) {
        for value in Value.allCases { record.number(UInt64(self[value])) }
    }
}

extension Counts: Codable {
    /// In the order of the cases.
    public init(from decoder: any Decoder) throws {
        let numbers = try [Int](from: decoder)
        guard numbers.count == Value.allCases.count else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "other cases"))
        }
        for (value, number) in zip(Value.allCases, numbers) where number > 0 { counts[value] = number }
    }

    public func encode(to encoder: any Encoder) throws { try Value.allCases.map { self[$0] }.encode(to: encoder) }
}
