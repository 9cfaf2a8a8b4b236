import Encodings
import Inputs
import Rules
import Testing
import YAML

@testable import audit

struct `A job file` {
    /// The job that a text makes, in the folder `/jobs`.
    private func job(_ text: String, _ environment: [String: String] = [:]) throws(YAMLFileError) -> Job {
        try Job.read(bytes: Array(text.utf8), name: "/jobs/j.yml") { environment[$0] }
    }

    @Test func `says all that the command line can say`() throws {
        let job = try job(
            """
            version: 1
            inputs: [receipts, more.ndjson]
            devices: claims.csv
            roots: [root.cer]
            policy: policy.yml
            reports: [out.csv, 'fraud=fraud-{date}.csv']
            excel: yes
            report-mode: 0640
            baseline: old.csv
            as-of: 2026-06-30
            fail-on: high
            workers: 3
            memory: 2G
            metrics: m.prom
            pseudonymise: key
            log-format: json
            unclaimed-after: 7
            """)
        #expect(job.unclaimedAfter == 7)
        #expect(job.pseudonymise?.path == "/jobs/key")
        #expect(job.logFormat == .json)
        #expect(job.metrics?.path == "/jobs/m.prom")
        #expect(job.inputs == [GivenPath("receipts", in: "/jobs"), GivenPath("more.ndjson", in: "/jobs")])
        #expect(job.devices?.path == "/jobs/claims.csv")
        #expect(job.roots.map(\.path) == ["/jobs/root.cer"])
        #expect(job.policy?.path == "/jobs/policy.yml")
        #expect(job.reports.map(\.table) == ["", "fraud"])
        #expect(job.reports.map(\.file) == ["/jobs/out.csv", "/jobs/fraud-{date}.csv"])
        #expect(job.excel == true)
        #expect(job.reportMode?.bits == 0o640)
        #expect(job.baseline?.path == "/jobs/old.csv")
        #expect(job.asOf == Instant(rfc3339: "2026-06-30T00:00:00Z"))
        #expect(job.failOn == .high)
        #expect(job.workers == 3)
        #expect(job.memory?.bytes == 2 << 30)
    }

    @Test(arguments: ["-1", "4000", "1.5", "soon"])
    func `refuses a number of days that cannot be`(days: String) {
        let error = #expect(throws: YAMLFileError.self) { try job("unclaimed-after: \(days)") }
        #expect(error?.description.contains("a whole number of days, at most 3650") == true)
    }

    @Test func `says what stands for an empty cell, as the commented line of the example does`() throws {
        #expect(try job(#"null: "NULL""#).null == "NULL")
        #expect(try job(#""null": "-""#).null == "-")
    }

    @Test func `refuses a column that nobody knows, at its place`() {
        let error = #expect(throws: YAMLFileError.self) { try job("inputs: a\ncolumns: [ip=a, devid=x]\n") }
        #expect(error?.description.hasPrefix("/jobs/j.yml:2:17: there is no column “devid”") == true)
    }

    @Test func `that is empty says nothing`() throws { #expect(try job("# later\n").inputs.isEmpty) }

    @Test(arguments: [
        ("a", "/jobs/a"), ("../a", "/jobs/../a"), ("/srv/a", "/srv/a"), ("-", "-"), ("${ROOT}/a", "/srv/x/a"),
        ("${NAME}", "/jobs/a b"), ("a-$${NAME}$$", "/jobs/a-${NAME}$"), ("${NAME}${NAME}", "/jobs/a ba b"),
    ])
    func `has paths relative to its folder, with variables`(written: String, path: String) throws {
        let job = try job("inputs: '\(written)'", ["ROOT": "/srv/x", "NAME": "a b"])
        #expect(job.inputs.map(\.path) == [path])
    }

    @Test(arguments: [
        ("j.yml", "a"), ("./j.yml", "./a"), ("jobs/j.yml", "jobs/a"), ("/j.yml", "/a"),
    ])
    func `is in a folder of its own`(name: String, path: String) throws {
        #expect(try Job.read(bytes: Array("inputs: a".utf8), name: name) { _ in nil }.inputs.map(\.path) == [path])
    }

    @Test(arguments: [
        ("input: a", "1:1: unknown key “input”; did you mean “inputs”?"),
        ("inputs: {a: b}", "1:9: “inputs” must be a list of paths, not a table of keys"),
        ("inputs: []", "1:9: “inputs” is an empty list; leave it out instead"),
        ("inputs: [a, '']", "1:13: “inputs” must be the path of a file, not “”"),
        ("policy: [a]", "1:9: “policy” must be the path of a file, not a list"),
        ("policy:", "1:8: “policy” must be the path of a file, and is empty"),
        ("policy: ${HERE}", "1:9: the environment variable “HERE” is not set"),
        ("policy: ${EMPTY}", "1:9: “policy” must be the path of a file; “${EMPTY}” is empty"),
        ("policy: ${HERE", "1:9: “${HERE” has “${” without “}”"),
        ("policy: ${A B}", "1:9: “A B” is not the name of an environment variable"),
        ("policy: ${}", "1:9: “” is not the name of an environment variable"),
        ("policy: $HERE", "1:9: “$HERE” has a “$” by itself; ${NAME} is a variable, $$ a dollar"),
        (
            "reports: [a.doc]",
            "1:11: the extension names the format; known are .csv, .json, .ndjson, .xlsx, .md, .html, .sqlite"
        ),
        ("reports: fraud=", "1:10: “fraud=” names no file"),
        ("reports: ['-.json', fraud=-]", "1:21: only one report can go to standard output"),
        ("workers: 0", "1:10: “workers” must be a whole number from 1 to 128, not “0”"),
        ("workers: many", "1:10: “workers” must be a whole number from 1 to 128, not “many”"),
        ("memory: 2 gigs", "1:9: “memory” must be a size from 1K to 64T, such as 500M or 2G, not “2 gigs”"),
        ("memory: 0", "1:9: “memory” must be a size from 1K to 64T, such as 500M or 2G, not “0”"),
        ("min-claims: -1", "1:13: “min-claims” must be a whole number from 0, not “-1”"),
        ("max-unreadable: 1.5", "1:17: “max-unreadable” must be a share from 0 to 1, not “1.5”"),
        ("columns: device_id", "1:10: “device_id” is not COLUMN=NAME, such as device_id=vendor_uuid"),
        ("columns: [ip=a, ip=b]", "1:17: the column ip is named twice"),
        ("reports: ['{day}.csv']", "1:11: {day} is not known; use {date} and {time}, those of --as-of"),
        ("null: NULL", "1:7: “null” must be the text of an empty cell, in quotes, and is empty"),
        ("~: NULL", "1:1: a key must be a text"),
        (
            "as-of: soon",
            "1:8: “as-of” must be a time such as 2026-06-30T12:00:00Z or a date such as 2026-06-30, not “soon”"
        ),
        (
            "fail-on: hihg",
            "1:10: “fail-on” must be one of info, low, medium, high, critical, not “hihg”; did you mean “high”?"
        ),
        ("metrics: m.json", "1:10: metrics are text for Prometheus, .prom; for JSON use the report summary=FILE.json"),
        ("report-mode: 777", "1:14: “report-mode” must be 0600, 0640, 0644, 0660 or 0664, not “777”"),
        ("excel: perhaps", "1:8: “excel” must be yes or no, not “perhaps”"),
        ("log-format: jason", "1:13: “log-format” must be one of text, json, not “jason”; did you mean “json”?"),
        ("version: 2", "1:10: “version” must be 1, the only version, not “2”"),
    ])
    func `is refused`(text: String, message: String) {
        do throws(YAMLFileError) {
            _ = try job(text, ["EMPTY": ""])
            Issue.record("read")
        } catch {
            #expect(error.description == "/jobs/j.yml:" + message)
        }
    }
}
