import Sorting

/// A value, or a part of it, in a record. All parts of a value are adjacent in sorted records.
protocol RecordPart: SortedRecord {
    /// Whether another part belongs to the same value.
    func isPart(ofSameAs other: Self) -> Bool

    mutating func add(_ other: Self)
}

extension RecordPart {
    /// Calls a body with each value in some runs, merged from its parts, in the order of their records.
    static func forEach(in runs: [SortedRun], _ body: (Self) throws -> Void) throws {
        try forEach(in: RunMerge(runs), body)
    }

    /// Calls a body with each value from a source, merged from its parts, in the order of their records.
    ///
    /// - Parameter onPart: called with each part of a value, before the value.
    static func forEach(
        in merge: consuming RunMerge, onPart: (Self) -> Void = { _ in }, _ body: (Self) throws -> Void
    ) throws {
        var pending: Self?
        while !merge.isAtEnd {
            let part: Self = try merge.value()
            onPart(part)
            if pending?.isPart(ofSameAs: part) == true {
                pending?.add(part)
            } else {
                if let pending { try body(pending) }
                pending = part
            }
            try merge.advance()
        }
        if let pending { try body(pending) }
    }
}
