import Foundation
import Testing

/// Claims that are mostly invalid for one reason. The cause may be how they were exported, or what the run was given.
struct `Claims that mostly fail one check` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        try export.writeSample(count: 40, seed: 4)
    }

    private func audit(_ arguments: String...) throws -> AuditProcess {
        try AuditProcess(
            ["run", "--root", export.path("sample/root.cer"), "--as-of", "2026-06-30", "--quiet"] + arguments)
    }

    private static let columns = [
        ("device_id", "none of yours", "device-id-malformed"), ("device_id", "None", nil),
        ("device_id", "6F9619FF-8B86-D011-B42D-00C04FC964FF", "guid-mismatch"),
        ("bundle_id", "com.exmple.notes", "bundle-id-mismatch"), ("app_version", "0.0.0", "app-version-mismatch"),
        ("account_id", "None", nil), ("device_id", "", nil),
    ]

    @Test(arguments: columns)
    func `are warned of if most fail a check that looks at a column`(column: String, cell: String, check: String?)
        throws
    {
        let files = table(export.text(of: "sample/receipts/devices.csv") ?? "").compactMap { $0["file"] }
        try export.write(
            "file,\(column)\n" + files.map { "\($0),\(cell)\n" }.joined(), to: "sample/receipts/column.csv")
        let messages = try audit(export.path("sample/receipts/column.csv")).messages
        if check == "device-id-malformed" {
            #expect(messages.contains("device_id names no device in 38 of 40 claims: 38 values, "), "\(messages)")
        } else {
            #expect(messages.contains(" claims fail ") == (check != nil), "\(messages)")
            if let check { #expect(messages.contains("of 40 claims fail \(check): "), "\(messages)") }
        }
    }

    @Test func `are warned of if most chains end at other roots, or environments are not allowed`() throws {
        try export.write("version: 1\nenvironments: [Xcode]\n", to: "xcode.yml")
        let allowed = try audit(export.path("sample/receipts"), "--policy", export.path("xcode.yml"))
        #expect(allowed.messages.contains("claims fail environment-mismatch: "), "\(allowed.messages)")
        let run = try AuditProcess(
            [
                "run", export.path("sample/receipts"), "--as-of", "2026-06-30", "--quiet", "--report",
                export.path("o.csv"),
            ])
        #expect(
            run.messages.contains("claims fail chain-untrusted: this run does not trust their root"),
            "\(run.messages)")
        #expect(try !audit(export.path("sample/receipts")).messages.contains("claims fail"))
    }
}
