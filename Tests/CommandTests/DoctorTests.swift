import Foundation
import Testing

struct `audit doctor` {
    @Test func `tells what a run stands on`() throws {
        let run = try AuditProcess("doctor")
        #expect(run.exitCode == 0, "\(run.output)")
        for text in ["OpenSSL", "libcsv", "zlib", "libxlsxwriter", "Apple Root CA - G3", "2039-04-30", "open files"] {
            #expect(run.output.contains(text))
        }
    }

    @Test func `tells it as JSON too`() throws {
        let run = try AuditProcess("doctor", "--json")
        let value = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        let findings = try #require(value?["findings"] as? [[String: String]])
        #expect(findings.contains { $0["name"] == "OpenSSL" && $0["outcome"] == "good" })
    }

    @Test(
        arguments: [
            ("ulimit -n 64", [:], "ulimit -n 1024"), ("true", ["TMPDIR": "/nowhere/at/all"], "set TMPDIR"),
        ] as [(String, [String: String], String)])
    func `ends with 1 and says what to do if there is a problem`(
        limit: String, environment: [String: String], advice: String
    ) throws {
        let run = try AuditProcess(shell: limit + "; exec \"$0\" \"$@\"", ["doctor"], environment: environment)
        #expect(run.exitCode == 1)
        #expect(run.output.contains(advice), "\(run.output)")
    }

    @Test func `ends with 2 if a root cannot be loaded`() throws {
        #expect(try AuditProcess("doctor", "--root", "no-such-root.cer").exitCode == 2)
    }
}
