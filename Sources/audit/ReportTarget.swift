import ArgumentParser

/// One `--report [TABLE=]FILE`.
struct ReportTarget: ExpressibleByArgument {
    static let tables = ["receipts", "fraud", "subscriptions", "summary"]

    let table: String
    let file: String

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if parts.count == 2, Self.tables.contains(parts[0]) {
            table = parts[0]
            file = parts[1]
        } else {
            table = "receipts"
            file = argument
        }
        guard !file.isEmpty else { return nil }
    }

    /// Why this report cannot be written, if it cannot.
    var problem: String? {
        guard table == "receipts" else {
            return "--report \(table)=\(file): the table \(table) is not written yet; `receipts` is."
        }
        guard file == "-" || file.lowercased().hasSuffix(".csv") else {
            return "--report \(file): the extension names the format, and only .csv is written yet."
        }
        return nil
    }
}
