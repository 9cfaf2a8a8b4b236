import Foundation
import SampleStore
import Testing

/// What `audit combine` and `audit reduce` do with parts of groups. ``An audit in shards`` compares their findings with
/// those of a run.
struct `Parts of a group` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        let receipt = try Data(TestExport.receipt()).base64EncodedString()
        let claims = (0..<6).map { number in
            """
            {"receipt_data":"\(receipt)","account_id":"u\(number)","device_id":"00000000-0000-0000-0000-00000000001\(number)"}

            """
        }
        try export.write(claims.joined(), to: "export.ndjson")
    }

    private static let lines = #""$0" map --as-of 2026-06-30 --root "$1"/root.cer --name e < "$1"/export.ndjson"#
    private static let map = lines + #" | grep "^r""#
    private static let combine = #""$0" combine --as-of 2026-06-30 --root "$1"/root.cer"#
    private static let reduce = #""$0" reduce --as-of 2026-06-30 --root "$1"/root.cer"#

    private func shell(_ script: String) throws -> AuditProcess {
        try AuditProcess(shell: "set -o pipefail; cd \"$1\"; " + script, [export.folder.path()])
    }

    @Test func `sum up to one line, and sums to one more that says the same`() throws {
        let whole = try shell("\(Self.map) | \(Self.combine) | grep -v ^s").output
        #expect(whole.split(separator: "\n").count == 1 && whole.hasPrefix("1r"))
        let halves = "(\(Self.map) | head -n 2 | \(Self.combine); \(Self.map) | tail -n +3 | \(Self.combine))"
        #expect(try shell("\(halves) | LC_ALL=C sort | \(Self.combine) | grep -v ^s").output == whole)
        let counts = try shell("\(halves) | LC_ALL=C sort | \(Self.combine) | grep ^s").output.split(separator: "\n")
        #expect(counts.count == 3, "those of each half are passed on")
    }

    @Test func `tell which of their claims a finding is about, and how many they are`() throws {
        let parts = try shell(
            """
            \(Self.map) > lines; \(Self.combine) < lines | grep ^1 > sum
            (cat sum; head -n 2 lines) | \(Self.reduce) > a
            (cat sum; tail -n +3 lines) | \(Self.reduce) > b
            grep -hc '^2' a b; grep -hc '^c' a b; grep -hc '^{' a b
            (cat sum; grep -h '^2' a b) | \(Self.reduce) > whole
            cat a b whole | grep '^f' | LC_ALL=C sort | \(Self.reduce) | grep '"table":"fraud"'
            """)
        #expect(parts.output.hasPrefix("1\n1\n2\n4\n0\n0\n{"))
        #expect(parts.output.contains(#""rule":"shared-receipt""#))
        #expect(parts.output.contains(#""claims":6,"devices":6,"accounts":6"#))
    }

    @Test func `seen together in one line say the same as in several`() throws {
        let parts = try shell(
            """
            \(Self.map) > lines; \(Self.combine) < lines | grep ^1 > sum
            for number in 1 2 3 4 5 6; do (cat sum; sed -n ${number}p lines) | \(Self.reduce) | grep ^2; done > seen
            cat sum seen | \(Self.reduce) | grep -v ^s > several
            (cat sum; \(Self.combine) < seen | grep ^2) | \(Self.reduce) | grep -v ^s > one
            cmp several one && wc -l < seen
            """)
        #expect(parts.output == "6\n")
    }

    @Test(arguments: [
        #"printf 'nothing\n'"#, #"printf '1\tAAAA\n'"#, #"printf '1x\tAAAA\n'"#, "LINES | grep ^c",
        "LINES | grep ^r | sed 's/^/1/'", "LINES | grep ^r | sed 's/^/2/'", "LINES | grep ^r | COMBINE | sed 's/..$//'",
    ])
    func `are refused if they are not what was written`(lines: String) throws {
        let lines = lines.replacing("LINES", with: Self.lines).replacing("COMBINE", with: Self.combine)
        let run = try shell("\(lines) | \(Self.combine)")
        #expect(run.exitCode == 2)
        #expect(run.messages.contains("line 1 is not one that audit writes"), "\(run.messages)")
        #expect(run.output == "")
    }

    @Test func `of another version are refused`() throws {
        let run = try shell(#"\#(Self.map) | sed 's/\t../\tAA/' | "# + Self.combine)
        #expect(run.exitCode == 2)
        #expect(run.messages.hasPrefix("audit: error: line 1 was written by another version of audit"))
    }

    @Test func `are refused when what they sum up to is not known, or is known too late`() throws {
        let unknown = try shell(
            "\(Self.map) > lines; \(Self.combine) < lines | grep ^1 > sum; "
                + "(cat sum lines) | \(Self.reduce) | grep '^2' | \(Self.reduce)")
        #expect(unknown.exitCode == 2)
        #expect(unknown.messages.contains("the aggregate of its group does not precede it"))
        let late = try shell("\(Self.map) > lines; (cat lines; \(Self.combine) < lines | grep ^1) | \(Self.reduce)")
        #expect(late.exitCode == 2)
        #expect(late.messages.contains("its key sorts before the one above it"))
    }

    @Test(arguments: [
        ("head -n 5 lines", "cat lines", "the aggregate of 5 lines, and its parts have 6"),
        ("cat lines", "head -n 5 lines", "the aggregate of 6 lines, and its parts have 5"),
        (
            "head -n 5 lines", "tail -n 5 lines",
            "the aggregate of 5 lines, and its parts have 5 others: give combine and reduce the same parts"
        ),
    ])
    func `are refused if others were combined than are reduced`(combined: String, reduced: String, message: String)
        throws
    {
        let run = try shell(
            """
            \(Self.map) > lines; \(combined) | \(Self.combine) | grep ^1 > sum
            (cat sum; (cat sum; \(reduced)) | \(Self.reduce) | grep ^2) | \(Self.reduce)
            """)
        #expect(run.exitCode == 2)
        #expect(run.messages.contains(message), "\(run.messages)")
    }
}
