import Checks
import Encodings
import Files
import Rules
import Sorting

/// The rows of the sheet `Queue`, sorted by ``FindingUrgency`` in bounded memory.
final class QueueRows {
    private static let memory = 8 << 20

    private let sorter: RecordSorter
    private var record: [UInt8] = []

    init(in folder: String) { sorter = RecordSorter(budget: Self.memory, folder: folder) }

    /// Adds a row: its sort key, the finding's id and rule, and the row as encoded by ``TypedRow``.
    func add(_ finding: ComparedFinding) throws(FileError) {
        let urgency = FindingUrgency(finding)
        let keys = urgency.sortKeys
        record.removeAll(keepingCapacity: true)
        record.append(bigEndian: keys[1])
        record.append(bigEndian: keys[2])
        record.append(bigEndian: urgency.id.high)
        record.append(bigEndian: UInt64(urgency.id.low))
        let rule = finding.finding.rule.utf8.span
        record.append(bigEndian: UInt64(rule.count))
        record.append(copying: rule)
        record += TypedRow.bytes(of: finding, in: QueueSheet.self)
        let whole = record
        try sorter.add(keys[0], whole.span)
    }

    /// Passes on the rows in order, once.
    func write(to rows: WaitingRows<WorkbookSink.QueueKey>) throws(FileError) {
        var merge = try RunMerge(sorter.finish(), budget: Self.memory)
        while !merge.isAtEnd {
            record.removeAll(keepingCapacity: true)
            merge.withRecord { record.append(copying: $0) }
            let (high, low) = (number(at: 16), number(at: 24))
            let start = 40
            let end = min(start + Int(clamping: number(at: 32)), record.count)
            let rule = ExactText(String(decoding: record[start..<end], as: UTF8.self))
            let key = WorkbookSink.QueueKey(
                finding: FindingID(high: high, low: UInt32(truncatingIfNeeded: low)), rule: rule)
            try rows.append(key, Array(record[end...]))
            try merge.advance()
        }
    }

    private func number(at place: Int) -> UInt64 {
        record[place..<place + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
