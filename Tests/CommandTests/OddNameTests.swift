import Foundation
import Testing

struct `A file whose name is not UTF-8` {
    @Test func `is audited, and named with a mark for what cannot be written`() throws {
        let export = try TestExport()
        let receipt = try TestExport.receipt()
        var name = Array(export.receipts.path().utf8.map { CChar(bitPattern: $0) })
        name += [0x2f, 0x61, CChar(bitPattern: 0xff), 0x62, 0]
        let file = unsafe open(name, O_CREAT | O_WRONLY, 0o600)
        #expect(unsafe write(file, receipt, receipt.count) == receipt.count)
        close(file)
        let run = try export.audit("--report", "-")
        #expect(run.rows.map { $0["file"] } == ["a\u{fffd}b"])
        #expect(run.rows.map { $0["verdict"] } == ["valid"])
    }
}
