import Encodings
import Engine
import Foundation
import SampleStore
import Streams
import Testing

struct `The filters of a stream` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        let receipt = try Data(TestExport.receipt()).base64EncodedString()
        try export.write(
            "{\"receipt_data\":\"\(receipt)\"}\nnonsense\n{\"receipt_data\":\"\(receipt)\"}\n", to: "export.ndjson")
    }

    private static let map =
        #""$0" map --as-of 2026-06-30 --root "$1"/root.cer --name export.ndjson < "$1"/export.ndjson"#
    private static let reduce = #""$0" reduce --as-of 2026-06-30 --root "$1"/root.cer"#

    private func shell(_ script: String) throws -> AuditProcess {
        try AuditProcess(shell: "set -o pipefail; " + script, [export.folder.path()])
    }

    @Test func `write a line for every claim, in the order of claims, whatever is in it`() throws {
        let lines = try shell(Self.map + " --workers 2").output.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("c") }.map { $0.prefix { $0 != "\t" } } == ["c01", "c02", "c03"])
        let rows = try shell("\(Self.map) | grep ^c | \(Self.reduce)").output.split(separator: "\n")
        #expect(rows.filter { $0.hasPrefix("{") }.map { $0.contains("row-malformed") } == [false, true, false])
    }

    @Test func `write the counts last`() throws {
        let lines = try shell(Self.map).output.split(separator: "\n")
        #expect(lines.last?.hasPrefix("s\t") == true)
        #expect(lines.count { $0.hasPrefix("s\t") } == 1)
    }

    @Test func `call claims by name and line, of which others may come before`() throws {
        let lines = try shell(Self.map + " --first-line 5001 --input-number 2 | grep ^c").output
        #expect(lines.hasPrefix("ca20000001389\t"))
        let run = try shell("(\(Self.map) --first-line 5001 --input-number 2) | grep ^c | \(Self.reduce)")
        #expect(run.output.contains(#""source":"export.ndjson:5003""#))
    }

    @Test func `end quietly when their output is closed`() throws {
        let run = try shell(Self.map + " | head -n 1 > /dev/null; echo ${PIPESTATUS[0]}")
        #expect(run.output == "0\n")
        #expect(run.messages == "")
    }

    @Test func `wait for a reader that is slower than they are, and lose nothing`() throws {
        // More than a pipe holds, twice.
        let claims = "for number in $(seq 3000); do echo \"{\\\"account_id\\\":\\\"$number\\\"}\"; done"
        let map = #""$0" map --as-of 2026-06-30 --root "$1"/root.cer"#
        let run = try shell(
            "\(claims) | \(map) | grep ^c | (sleep 1; cat) | \(Self.reduce) | (sleep 1; cat) | grep -c receipts")
        #expect(run.output == "3000\n")
    }

    @Test func `write what a last line says that does not end`() throws {
        let map = #""$0" map --as-of 2026-06-30 --root "$1"/root.cer"#
        let ended = try shell(#"printf '{"account_id":"a"}\n{"account_id":"b"}\n' | "# + map)
        let torn = try shell(#"printf '{"account_id":"a"}\n{"account_id":"b"}' | "# + map)
        #expect(ended.output == torn.output)
        #expect(ended.output.split(separator: "\n").count { $0.hasPrefix("c") } == 2)
        let lines = try shell("\(Self.map) | grep ^c | \(Self.reduce)")
        let last = try shell("\(Self.map) | grep ^c | head -c -1 | \(Self.reduce)")
        #expect(lines.output == last.output)
    }

    @Test func `read what is compressed as what it holds`() throws {
        let plain = try shell(Self.map)
        let packed = #"gzip -c < "$1"/export.ndjson | "$0" map --as-of 2026-06-30 --root "$1"/root.cer"#
        #expect(try shell(packed + " --name export.ndjson").output == plain.output)
        let members = #"(head -n 1 "$1"/export.ndjson | gzip; tail -n +2 "$1"/export.ndjson | gzip)"#
        let map = #""$0" map --as-of 2026-06-30 --root "$1"/root.cer --name export.ndjson"#
        #expect(try shell("\(members) | \(map)").output == plain.output)
    }

    @Test func `have a row for what is compressed and damaged, and for all before it`() throws {
        let map = #""$0" map --as-of 2026-06-30 --root "$1"/root.cer --name export.ndjson"#
        let run = try shell(#"gzip -c < "$1"/export.ndjson | head -c -20 | "# + map)
        #expect(run.exitCode == 0)
        let rows = try shell(#"gzip -c < "$1"/export.ndjson | head -c -20 | "# + map + " | grep ^c | " + Self.reduce)
        #expect(rows.output.split(separator: "\n").last { $0.hasPrefix("{") }?.contains("row-malformed") == true)
        #expect(run.output.split(separator: "\n").last?.hasPrefix("s\t") == true)
        let nothing = try shell("echo nonsense | " + map)
        #expect(nothing.output.split(separator: "\n").count { $0.hasPrefix("c01\t") } == 1)
    }

    @Test(arguments: ["a b", "a\\tb", "%41", "a\\nb", "\\u0000", "é", "\\u2028", "=1+1", "\\\"", "1", "\\ud83d\\ude00"])
    func `write keys without blanks, from which what was claimed can be read`(account: String) throws {
        let receipt = try Data(TestExport.receipt()).base64EncodedString()
        // Who has many trials or refunds is found under the account: two devices are found under the receipt.
        let claims = ["0", "1"].map {
            #"{"receipt_data":"\#(receipt)","account_id":"\#(account)","device_id":"00000000-0000-0000-0000-00000000001\#($0)"}"#
        }
        try export.write(claims.joined(separator: "\n"), to: "export.ndjson")
        let lines = try shell(Self.map).output.split(separator: "\n").filter { !$0.hasPrefix("{") }
        for line in lines {
            let key = line.utf8.prefix { $0 != 0x09 }
            #expect(key.allSatisfy { (0x21...0x7e).contains($0) })
            #expect(line.utf8.count { $0 == 0x09 } == 1)
        }
        let sort = "LC_ALL=C sort"
        let found = try shell(
            "\(Self.map) | grep '^[rtda]' | \(sort) | \(Self.reduce) | grep ^f | \(sort) | \(Self.reduce)"
                + " | grep '\"table\":\"fraud\"' | grep shared-receipt")
        #expect(found.output.contains(#""accounts":1"#))
    }

    @Test func `refuse lines of another version`() throws {
        let run = try shell(Self.map + #" | sed 's/\t../\tAA/' | grep ^c | "# + Self.reduce)
        #expect(run.exitCode == 2)
        #expect(run.messages.hasPrefix("audit: error: line 1 was written by another version of audit"))
        #expect(run.output == "")
    }

    @Test func `refuse counts of a run with other settings`() throws {
        let run = try shell(Self.map + #" | grep ^s | "$0" reduce --as-of 2026-07-01 --root "$1"/root.cer"#)
        #expect(run.exitCode == 2)
        #expect(run.messages.contains("line 1 comes from a run with another policy, other roots or another --as-of"))
    }

    @Test(arguments: [
        "t1", "\\tAAAA", "x\\tAAAA", "t%4\\tAAAA", "t1\\t{}", "c\\tAAAA", "cz\\tAAAA", "r!\\tAAAA", "t1\\t\\xff",
    ])
    func `refuse a line that is none, and name it`(line: String) throws {
        let run = try shell("printf '\(line)\\n' | " + Self.reduce)
        #expect(run.exitCode == 2)
        #expect(run.messages.contains("line 1 is not one that audit writes"))
    }

    @Test(arguments: ["^c", "^s", "^r"], ["s/.$//", "s/..$//", "s/$/AAAA/"])
    func `refuse a damaged record, and name its line`(key: String, damage: String) throws {
        let run = try shell("\(Self.map) | grep -m1 \(key) | sed '\(damage)' | \(Self.reduce)")
        #expect(run.exitCode == 2)
        #expect(run.messages.contains("line 1 is not one that audit writes"), "\(run.messages)")
    }

    @Test func `refuse lines that are not sorted by key, and say how to sort them`() throws {
        let run = try shell("\(Self.map) | grep ^c | tac | \(Self.reduce)")
        #expect(run.exitCode == 2)
        #expect(run.messages.contains("line 2 is not one that audit writes: its key sorts before the one above it"))
        #expect(run.messages.contains("LC_ALL=C sort"))
    }

    @Test func `add up counts that are as great as can be`() throws {
        let line = try shell(Self.map + " | grep ^s").output.dropLast()
        // The version in two bytes, the length of a text in two more, the text, and the checksum.
        let record = try #require(Data(base64Text: line.dropFirst(2)))
        let counts = String(decoding: record.dropFirst(2).dropLast(4).drop { $0 != UInt8(ascii: "{") }, as: UTF8.self)
            .replacing(/"written":\[[^\]]*\]/, with: #""written":[]"#)
        let tally = try #require(counts.firstRange(of: #""tally":"#)).upperBound
        var great = ExactText(
            String(counts[..<tally])
                + counts[tally...].replacing(/(?<before>[:,\[])[1-9][0-9]*/) { $0.output.before + "\(Int.max)" })
        var changed = LineWriter()
        for _ in 1...2 { changed.write(.summary) { $0.text(&great) } }
        try export.write(changed.bytes, to: "counts")
        let run = try shell(#"\#(Self.reduce) --max-unreadable 1 < "$1"/counts"#)
        #expect(run.exitCode == 0 && !run.messages.contains("audit: error: "), "\(run.messages)")
        #expect(run.output.contains(#""item":"valid","measure":"claims","value":9223372036854775807"#))
    }

    @Test func `refuse two claims at one place`() throws {
        let run = try shell("(\(Self.map); \(Self.map)) | grep ^c | LC_ALL=C sort | " + Self.reduce)
        #expect(run.exitCode == 2)
        #expect(run.messages.contains("two claims have the same position: give each map its own --input-number"))
    }

    @Test(arguments: [
        ["map"], ["reduce"], ["map", "--as-of", "soon"], ["map", "--as-of", "2026-01-01", "--first-line", "0"],
        ["map", "--as-of", "2026-01-01", "--format", "csv", "--first-line", "2"], ["rows", "nothing"],
        ["map", "--as-of", "2026-01-01", "--input-number", "-1"], ["map", "--as-of", "2026-01-01", "--workers", "129"],
    ])
    func `are not begun when the usage is wrong`(arguments: [String]) throws {
        #expect(try AuditProcess(arguments).exitCode == 64)
    }

    @Test func `make a report of their rows`() throws {
        let run = try shell("\(Self.map) --csv | grep ^c | \(Self.reduce) --csv | \"$0\" rows receipts")
        #expect(run.exitCode == 0)
        #expect(run.rows.map { $0["source"] } == ["export.ndjson:1", "export.ndjson:2", "export.ndjson:3"])
        #expect(run.rows.map { $0["verdict"] } == ["valid", "unreadable", "valid"])
    }

    @Test func `read a list of files as a run reads their folder`() throws {
        try export.write(TestExport.receipt(), to: "receipts/a.der")
        try export.write("no receipt", to: "receipts/b/c.der")
        let list = "printf 'a.der\\nb/c.der\\n../root.cer\\n'"
        let run = try shell(
            list
                + #" | "$0" map --as-of 2026-06-30 --root "$1"/root.cer --csv --format paths --root-folder "$1"/receipts"#
                + " | grep ^c | \(Self.reduce) --csv | \"$0\" rows receipts")
        let whole = try export.audit("--report", "-")
        #expect(Array(run.rows.prefix(2)) == whole.rows)
        #expect(run.rows.last?["failed_checks"] == "receipt-not-found")
    }
}

extension Data {
    /// Base64 with the URL-safe alphabet and without padding, as lines have it.
    fileprivate init?(base64Text text: some StringProtocol) {
        let standard = String(text).replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4))
    }
}
