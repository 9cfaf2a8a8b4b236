import ArgumentParser
import Reports

/// One `--report [TABLE=]FILE`.
struct ReportTarget: ExpressibleByArgument {
    /// As it was written: `fraud`, or empty for the default.
    let table: String
    var file: String

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if parts.count == 2, Self.looksLikeTable(parts[0]) {
            table = parts[0]
            file = parts[1]
        } else {
            table = ""
            file = argument
        }
        guard !file.isEmpty else { return nil }
    }

    /// `-`, and where it is not to be CSV `-.json`.
    var isStandardOutput: Bool { file == "-" || file.hasPrefix("-.") && ReportFormat(path: file) != nil }

    /// Whether what stands before a `=` names a table, or means to: a file's name mostly holds more than letters there.
    private static func looksLikeTable(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { 0x61...0x7a ~= $0 | 0x20 || $0 == 0x2d || $0 == 0x5f }
    }

    /// As it is written: `[TABLE=]FILE`.
    private var written: String { table.isEmpty ? file : table + "=" + file }

    /// Why this report cannot be written, if it cannot, as the command line says it.
    var problem: String? { reason.map { "--report \(written): \($0)." } }

    /// Why this report cannot be written, if it cannot.
    var reason: String? {
        guard ReportFormat(path: file) != nil else {
            let known = ReportFormat.allCases.map { "." + $0.rawValue }.joined(separator: ", ")
            return "the extension names the format; known are \(known)"
        }
        guard ReportRequest.Table(rawValue: table) != nil || table.isEmpty else {
            let known = ReportRequest.Table.allCases.map(\.rawValue).joined(separator: ", ")
            return "there is no table \(table), only \(known); for a file of that name write ./\(written)"
        }
        return nil
    }

    /// The request, with a date in place of `{date}`; `nil` if there is a ``problem``.
    func request(date: String) -> ReportRequest? {
        guard problem == nil, let format = ReportFormat(path: file) else { return nil }
        return ReportRequest(
            ReportRequest.Table(rawValue: table), format,
            path: isStandardOutput ? "-" : file.replacing("{date}", with: date))
    }
}
