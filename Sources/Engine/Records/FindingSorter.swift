import Encodings
package import Files
package import Rules
import Sorting

/// Brings texts into the order of the table `fraud`, each being the row of a finding in some format.
package final class FindingSorter {
    private let sorter: RecordSorter
    private var record = RecordWriter()

    package init(_ storage: Storage) { sorter = RecordSorter(budget: storage.memory, folder: storage.folder) }

    /// - Returns: false if there is no rule of this name.
    package func add(_ row: FindingRow, _ text: String) throws(FileError) -> Bool {
        let text = ExactText(text)
        guard let rule = RuleBook.ids.firstIndex(of: row.rule) else { return false }
        record.removeAll()
        FindingRecord.write(row, rule: rule, to: &record)
        record.leading(text)
        record.endLeading(text)
        let bytes = record.bytes
        try sorter.add(FindingRecord.prefix(row.severity, rule: rule, row.subject), bytes.span)
        return true
    }

    /// Goes through the texts in order, once.
    package func forEach(_ body: (String) throws -> Void) throws {
        var merge = try RunMerge(sorter.finish())
        while !merge.isAtEnd {
            try body(merge.withRecord { Self.text(of: $0).text })
            try merge.advance()
        }
    }

    private static func text(of record: Span<UInt8>) -> ExactText {
        var fields = RecordReader(record)
        return fields.trailing()
    }
}
