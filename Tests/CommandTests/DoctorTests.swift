import Foundation
import Testing

@testable import audit

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

struct `A hole in a library` {
    private let hole = KnownVulnerability(id: "CVE-1", title: "a hole", fixedIn: ["3.0.9", "3.2.1"])

    @Test(
        arguments: [
            ("3.0.9", nil, .fixed), ("3.0.10", nil, .fixed), ("3.0.8", nil, .unknown), ("3.0.8", "CVE-2", .open),
            ("2.9.9", "", .unknown), ("3.0.8", "fixes CVE-1", .fixedByDistribution), ("3.2.1", "", .fixed),
            ("3.2.0", "", .open),
            ("3.1.9", "", .unknown), ("3.3.0", nil, .fixed), ("4.0.0", nil, .fixed), ("1.1.1w", nil, .unknown),
            ("3.5.0-dev", nil, .fixed), ("three", "", .unknown),
        ] as [(String, String?, KnownVulnerability.State)])
    func `is fixed by version or by the distribution`(
        version: String, changelog: String?, state: KnownVulnerability.State
    ) {
        #expect(hole.state(in: version, changelog: changelog) == state)
    }

    @Test(
        arguments: [
            ("2.5.0", nil, .unknown), ("2.5.0", "CVE-2024-45490", .open),
            ("2.5.0", "fixes CVE-2023-52425", .fixedByDistribution), ("2.6.0", nil, .fixed), ("2.7.1", "", .fixed),
        ] as [(String, String?, KnownVulnerability.State)])
    func `of long tokens is open in Expat before 2.6.0`(
        version: String, changelog: String?, state: KnownVulnerability.State
    ) {
        #expect(KnownVulnerability.ofExpat[0].state(in: version, changelog: changelog) == state)
    }
}

struct `The packages of Debian` {
    @Test func `are read from dpkg's own files`() throws {
        let export = try TestExport()
        try export.write(
            "Package: libssl3\nStatus: install ok installed\nVersion: 3.0.1-1\n\nPackage: zlib1g\nVersion: 2\n",
            to: "var/lib/dpkg/status")
        let packages = DebianPackages(root: export.folder.path())
        #expect(packages.version(of: "libssl3") == "3.0.1-1")
        #expect(packages.version(of: "libcsv3") == nil)
        #expect(packages.changelog(of: "libssl3") == nil)
    }
}
