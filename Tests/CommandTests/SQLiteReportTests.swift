import Corpus
import Files
import Foundation
import Reports
import SQLite
import Synchronization
import Testing

/// A run with a report in SQLite, and the same tables in CSV.
final class SQLiteExport: Sendable {
    static let tables = ReportRequest.Table.allCases.filter { ReportFormat.csv.holds($0) }.map(\.rawValue)

    let export: TestExport

    init(count: Int = 300) throws {
        export = try TestExport()
        try export.writeSample(count: count, seed: 23, forgeryShare: 0.1, plantShare: 0.4)
    }

    /// A sample with a report of it in `a.sqlite`, made once for all tests that only read it.
    static func reported(count: Int = 300) throws -> SQLiteExport {
        try reported.withLock { reported in
            if let known = reported[count] { return known }
            let run = try SQLiteExport(count: count)
            SharedFolders.removeAtExit(run.export.folder.path())
            try run.audit("--report", run.export.path("a.sqlite"))
            reported[count] = run
            return run
        }
    }

    /// By the number of claims.
    private static let reported = Mutex<[Int: SQLiteExport]>([:])

    @discardableResult
    func audit(_ arguments: String..., input: String = "sample/receipts") throws -> AuditProcess {
        try audit(arguments, input: input)
    }

    @discardableResult
    func audit(_ arguments: [String], input: String = "sample/receipts") throws -> AuditProcess {
        let run = try AuditProcess(
            [
                "run", export.path(input), "--root", export.path("sample/root.cer"), "--policy",
                export.path("sample/policy.yml"), "--quiet",
            ] + (arguments.contains("--as-of") ? [] : ["--as-of", "2026-06-30"]) + arguments)
        try #require(run.exitCode == 0, "\(run.messages)")
        return run
    }

    func rows(_ sql: String, in name: String = "a.sqlite") throws -> [SQLiteRow] {
        let statement = try SQLiteStatement<FileError>(SQLiteConnection(export.path(name), name: name, .reading), sql)
        var rows: [SQLiteRow] = []
        while try statement.step() { rows.append(SQLiteRow(statement)) }
        return rows
    }

    /// The first column.
    func strings(_ sql: String, in name: String = "a.sqlite") throws -> [String] {
        try rows(sql, in: name).map { try #require($0.cells.first?.value.text) }
    }

    /// Changes a database with SQL.
    func change(_ path: String, _ sql: String) throws {
        try SQLiteConnection<FileError>(path, name: path, .writing).execute(sql)
    }
}

/// A row of a database.
struct SQLiteRow {
    enum Value {
        case null
        case number(Int)
        case real(Double)
        case text(String)

        var text: String? { if case .text(let text) = self { text } else { nil } }
    }

    let cells: [(column: String, value: Value)]

    fileprivate init(_ statement: SQLiteStatement<FileError>) {
        cells = (0..<statement.columnCount).map { column in
            let value: Value =
                switch statement.kind(column) {
                case .null: .null
                case .number: .number(Int(statement.number(column)))
                case .real: .real(statement.real(column))
                case .text: .text(statement.text(column))
                }
            return (statement.name(column), value)
        }
    }

    private func value(_ column: String) -> Value? { cells.first { $0.column == column }?.value }

    subscript(column: String) -> String? { value(column)?.text }

    subscript(column: String) -> Int? { if case .number(let number) = value(column) { number } else { nil } }

    subscript(column: String) -> Double? { if case .real(let number) = value(column) { number } else { nil } }
}

/// `--report out.sqlite`.
struct `A report in SQLite` {
    /// The tables that a run without evidence, sales reports and a ledger leaves empty.
    private static let withoutRows = ["evidence", "rule_quality", "unclaimed", "refund_requests", "completeness"]

    @Test func `has the rows and columns of every table, each in its type`() throws {
        let run = try SQLiteExport()
        let reports = SQLiteExport.tables.flatMap { ["--report", "\($0)=" + run.export.path("\($0).csv")] }
        try run.audit(["--report", run.export.path("a.sqlite")] + reports)
        for name in SQLiteExport.tables {
            let wanted = table(run.export.text(of: "\(name).csv") ?? "")
            let found = try run.rows("SELECT * FROM \(name) ORDER BY rowid")
            #expect(found.count == wanted.count && (Self.withoutRows.contains(name) || !found.isEmpty), "\(name)")
            for (row, cells) in zip(found, wanted) {
                #expect(Set(row.cells.map(\.column)) == Set(cells.keys), "\(name)")
                for (column, value) in row.cells {
                    let cell = cells[column] ?? ""
                    switch value {
                    case .null: #expect(cell == "", "\(name).\(column)")
                    case .number(let number): #expect(cell == "\(number)", "\(name).\(column)")
                    case .real(let number): #expect(Double(cell) == number, "\(name).\(column)")
                    case .text(let text): #expect(cell == text, "\(name).\(column)")
                    }
                }
            }
            let types = (found.first?.cells ?? []).map { "typeof(\"\($0.column)\")" }.joined(separator: ", ")
            let blobs = try types.isEmpty ? [] : run.rows("SELECT 1 FROM \(name) WHERE 'blob' IN (\(types))")
            #expect(blobs.isEmpty, "\(name)")
        }
        let numbers = try run.rows("SELECT typeof(score) AS score, typeof(claims) AS claims FROM entities")
        #expect(numbers.allSatisfy { $0["score"] == "real" && $0["claims"] == "integer" })
    }

    @Test func `is whole, indexed, and refers to nothing that is not there`() throws {
        let run = try SQLiteExport.reported()
        #expect(try run.strings("PRAGMA integrity_check") == ["ok"])
        #expect(try run.rows("PRAGMA foreign_key_check").isEmpty)
        let referring = try run.strings(
            "SELECT m.name || ' ' || f.\"table\" FROM sqlite_master m, pragma_foreign_key_list(m.name) f ORDER BY 1")
        #expect(Set(referring).isSuperset(of: ["links fraud", "links claims", "receipts claims", "purchases claims"]))
        // Nobody has to scan a table for what joins it.
        let plan = try run.rows("EXPLAIN QUERY PLAN SELECT * FROM finding_claims WHERE finding_id = 'x'")
        #expect(plan.allSatisfy { ($0["detail"] as String?)?.hasPrefix("SEARCH") == true })
    }

    @Test func `gives the pages and the workbook of the run later, byte for byte`() throws {
        let run = try SQLiteExport()
        let pages = ["all.html", "all.md", "fraud=f.html", "receipts=r.md", "book.xlsx"]
        let file = { (page: String, folder: String) in
            let parts = page.split(separator: "=")
            return parts.dropLast().map { $0 + "=" }.joined() + run.export.path(folder + parts[parts.count - 1])
        }
        try run.audit("--report", run.export.path("a.sqlite"))
        try run.audit(pages.flatMap { ["--report", file($0, "run-")] })
        let later = try AuditProcess(
            ["report", run.export.path("a.sqlite")] + pages.flatMap { ["--report", file($0, "later-")] })
        #expect(later.exitCode == 0, "\(later.messages)")
        for name in ["all.html", "all.md", "f.html", "r.md"] {
            let page = run.export.text(of: "later-" + name)
            #expect(page != nil && page == run.export.text(of: "run-" + name), "\(name)")
        }
        let books = try ["later-", "run-"].map {
            try Data(contentsOf: URL(filePath: run.export.path($0 + "book.xlsx")))
        }
        #expect(books[0] == books[1])
        let refused = try AuditProcess(["report", run.export.path("sample/policy.yml"), "--report", "x.html"])
        #expect(refused.exitCode == 2)
        #expect(try AuditProcess(["report", run.export.path("a.sqlite"), "--report", "x.csv"]).exitCode == 64)
    }

    /// Else a view would take time that grows with the square of the number of claims.
    @Test(
        arguments: Exhaustive.cases(
            ["finding_claims", "entity_findings", "claim_history", "new_since_last", "refunds"], every: 4))
    func `has views that look rows up by indexes, and never scan for each row`(view: String) throws {
        let run = try SQLiteExport.reported()
        let plan = try run.rows("EXPLAIN QUERY PLAN SELECT * FROM \(view)")
        let details = Dictionary(uniqueKeysWithValues: plan.map { ($0["id"] ?? 0, $0["detail"] ?? "") })
        #expect(!details.values.contains { $0.contains("AUTOMATIC") }, "\(details)")
        for step in plan {
            let (parent, detail): (Int, String) = (step["parent"] ?? 0, step["detail"] ?? "")
            guard detail.hasPrefix("SCAN"), details[parent]?.hasPrefix("CORRELATED") == true else { continue }
            Issue.record("\(detail) in \(details[parent] ?? "")")
        }
        // All claims may show one purchase.
        guard view == "refunds" else { return }
        #expect(!details.values.contains { $0.contains("purchases_by_original") }, "\(details)")
        #expect(details.values.contains { $0.hasPrefix("UNION USING TEMP B-TREE") }, "\(details)")
    }

    @Test func `says of every column what it holds`() throws {
        let run = try SQLiteExport.reported(count: 60)
        let columns = try run.strings(
            """
            SELECT m.name || '.' || c.name || ' ' || c.type FROM sqlite_master m, pragma_table_info(m.name) c
            WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY 1
            """)
        let defined = try run.strings(
            """
            SELECT table_name || '.' || column_name || ' ' || type FROM definitions
            WHERE table_name NOT IN (SELECT name FROM sqlite_master WHERE type = 'view') ORDER BY 1
            """)
        #expect(columns == defined)
        // An expression of a view has no type.
        let inViews = try run.strings(
            """
            SELECT m.name || '.' || c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'view'
            EXCEPT SELECT table_name || '.' || column_name FROM definitions
            """)
        #expect(inViews.isEmpty)
        #expect(try run.strings("SELECT text FROM definitions WHERE length(text) < 5").isEmpty)
    }

    @Test func `is the same file for any number of workers and any memory`() throws {
        let run = try SQLiteExport()
        try run.audit("--report", run.export.path("a.sqlite"), "--workers", "1")
        try run.audit("--report", run.export.path("b.sqlite"), "--workers", "7", "--memory", "64MB")
        #expect(
            try Data(contentsOf: run.export.folder.appending(path: "a.sqlite"))
                == Data(contentsOf: run.export.folder.appending(path: "b.sqlite")))
        let folder = try run.export.names(in: ".")
        #expect(folder.filter { $0.contains("sqlite") } == ["a.sqlite", "b.sqlite"])
    }

    @Test func `has one row for each claim, and of earlier nights those that findings are about`() throws {
        let run = try SQLiteExport()
        let rows = (run.export.text(of: "sample/receipts/devices.csv") ?? "").split(separator: "\r\n").map(String.init)
        // One claim is in two rows; the second run has only every third claim.
        let nights = [
            Array(rows.dropFirst()) + [rows[1]], rows.dropFirst().enumerated().filter { $0.0 % 3 == 0 }.map(\.1),
        ]
        for (night, claims) in nights.enumerated() {
            try run.export.write(
                ([rows[0]] + claims).joined(separator: "\r\n") + "\r\n", to: "sample/receipts/\(night).csv")
            try run.audit(
                "--report", run.export.path("\(night).sqlite"), "--state", run.export.path("ledger.db"), "--as-of",
                "2026-06-\(29 + night)", input: "sample/receipts/\(night).csv")
        }
        let doubled = try run.rows("SELECT * FROM claims WHERE receipts = 2", in: "0.sqlite")
        #expect(doubled.count >= 1 && doubled.contains { ($0["source"] as String?)?.hasSuffix("csv:2") == true })
        let claims = try run.strings("SELECT claim_id FROM claims ORDER BY claim_id", in: "1.sqlite")
        let known = try run.strings(
            "SELECT claim_id FROM receipts UNION SELECT claim_id FROM links ORDER BY claim_id", in: "1.sqlite")
        #expect(claims == known)
        let earlier = try run.rows("SELECT * FROM claims WHERE receipts = 0", in: "1.sqlite")
        #expect(!earlier.isEmpty && earlier.allSatisfy { ($0["source"] as String?)?.contains("2026-06-29") == true })
        #expect(try run.rows("PRAGMA foreign_key_check", in: "1.sqlite").isEmpty)
        #expect(try run.rows("SELECT * FROM new_since_last", in: "0.sqlite").count > 10)
        let order = try run.strings("SELECT severity FROM new_since_last", in: "0.sqlite")
        #expect(order.first == "critical")
    }

    @Test func `joins entities with the findings that concern them`() throws {
        let run = try SQLiteExport.reported()
        #expect(
            try run.rows(
                """
                SELECT kind, id FROM entities EXCEPT SELECT kind, id FROM entity_findings GROUP BY kind, id
                """
            ).isEmpty)
        #expect(
            try run.rows(
                """
                SELECT e.kind, e.id FROM entities e JOIN entity_findings f ON f.kind = e.kind AND f.id = e.id
                GROUP BY e.kind, e.id HAVING count(*) <> e.findings
                """
            ).isEmpty)
        // By links, for accounts, which links name.
        #expect(
            try run.rows(
                """
                SELECT account_id, finding_id FROM links WHERE account_id IS NOT NULL
                EXCEPT SELECT id, finding_id FROM entity_marks WHERE kind = 'account'
                """
            ).isEmpty)
    }

    @Test func `is written to standard output, too, and holds no single table`() throws {
        let run = try SQLiteExport(count: 60)
        let shell = try AuditProcess(
            shell: "\"$0\" \"$@\" > '\(run.export.path("out.sqlite"))'",
            [
                "run", run.export.path("sample/receipts"), "--root", run.export.path("sample/root.cer"), "--policy",
                run.export.path("sample/policy.yml"), "--quiet", "--as-of", "2026-06-30", "--report", "-.sqlite",
            ])
        #expect(shell.exitCode == 0, "\(shell.messages)")
        #expect(try run.strings("PRAGMA integrity_check", in: "out.sqlite") == ["ok"])
        let single = try AuditProcess(
            "run", run.export.path("sample/receipts"), "--report", "links=" + run.export.path("x.sqlite"))
        #expect(single.exitCode == 64 && single.messages.contains("the table links is written as .csv"))
    }
}
