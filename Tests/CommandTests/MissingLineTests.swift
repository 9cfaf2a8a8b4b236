import Corpus
import Foundation
import SampleStore
import Testing

/// The steps of an audit in shards, between which something is lost, doubled or changed.
struct `An audit in shards of which lines are missing` {
    /// All steps as functions of files in a folder. What `DAMAGE` is for a file is done to it when it was written.
    private static let steps = #"""
        set -o pipefail
        export LC_ALL=C
        cd "$1"
        audit() { command "$AUDIT" "$@" --as-of 2026-06-30 --root root.cer --policy policy.yml --csv; }
        damage() { [ "$1" != "$FILE" ] || { eval "$DAMAGE" < "$1" > "$1.new" && mv "$1.new" "$1"; }; }
        part() {
            sed -n "$3" export.ndjson | audit map --purchases --name e --first-line "$2" $4 > "map-$1"
            damage "map-$1"
        }
        part 1 1 '1,20p' "$([ "$PARTS" = no ] || echo --part 1/2)"
        part 2 21 '21,$p' "$([ "$PARTS" = no ] || echo --part 2/2)"
        cat map-* > lines; damage lines
        grep -h '^[#rtdabnpu]' lines | sort > groups; damage groups
        audit reduce < groups > found; damage found
        grep -h ^j lines found | audit reduce > rings; damage rings
        { grep -h ^# lines; grep -h ^0 found rings | sort; grep -h ^c lines found | sort; } > claims; damage claims
        audit reduce < claims > joined; damage joined
        grep -h '^[#f]' lines found rings joined | sort > findings; damage findings
        audit reduce < findings > reported; damage reported
        grep -h ^e reported | sort > entities; damage entities
        audit reduce < entities > listed; damage listed
        grep -h ^s lines found rings joined reported listed | audit reduce > counts || exit 2
        for table in receipts fraud links entities subscriptions purchases metrics; do
            cat lines found joined reported listed counts | command "$AUDIT" rows "$table" > "$table.csv" || exit 2
        done
        """#

    private let export: ShardExport

    init() throws {
        export = try ShardExport(count: 40, seed: 5)
        try export.write(export.lines)
    }

    private func run(_ file: String = "", _ damage: String = "", parts: String = "") throws -> AuditProcess {
        try AuditProcess(
            shell: Self.steps, [export.sample.folder.path()],
            environment: ["AUDIT": AuditProcess.path, "FILE": file, "DAMAGE": damage, "PARTS": parts])
    }

    @Test(arguments: ["", "no"])
    func `ends with 0 where none is missing, whether parts are numbered or not`(parts: String) throws {
        let run = try run(parts: parts)
        #expect(run.exitCode == 0 && !run.messages.contains("error"), "\(run.messages)")
    }

    @Test(arguments: ["map-1", "map-2"])
    func `is refused if a part was left out`(file: String) throws {
        let run = try run(file, "head -c 0")
        #expect(run.exitCode == 2)
        #expect(run.messages.contains("1 of 2 parts of the claims are missing, the first is part \(file.suffix(1))"))
    }

    @Test func `is refused if one part has a number and another has none`() throws {
        let run = try run("map-1", "sed -n '1,20p' export.ndjson | audit map --purchases --name e")
        #expect(run.exitCode == 2)
        #expect(run.messages.contains("with --part, others without"), "\(run.messages)")
    }

    @Test func `is refused if a part is there twice`() throws {
        let run = try run("lines", "cat - map-2")
        #expect(run.exitCode == 2)
        #expect(run.messages.contains("part 2 of 2 is there twice") || run.messages.contains("the same position"))
    }

    struct Cut: CustomTestStringConvertible {
        var file: String
        var damage: String
        var testDescription: String { "\(file): \(damage)" }

        static let all = ["map-1", "lines", "groups", "found", "claims", "joined", "findings", "reported", "entities"]
            .flatMap { file in
                ["sed '$d'", "sed 1d", "sed '5,$d'", "sed 2p", "head -c 0"].map { Cut(file: file, damage: $0) }
            }
    }

    @Test(arguments: Exhaustive.cases(Cut.all, every: 16))
    func `is refused if a file was cut at a line, lacks one or has one twice`(cut: Cut) throws {
        let run = try run(cut.file, cut.damage)
        #expect(run.exitCode == 2, "\(run.messages)")
        // Where nothing at all arrives, there are no claims.
        #expect(run.messages.contains("audit: error: ") || run.messages.contains("the input has no claims"))
    }

    @Test(
        arguments: Exhaustive.cases(["groups", "claims", "findings", "entities"], every: 3),
        Exhaustive.isOn ? [1, 3] : [3])
    func `names a line of which a character was changed`(file: String, line: Int) throws {
        let change = #"substr($0, 1, n) (substr($0, n + 1, 1) == "A" ? "B" : "A") substr($0, n + 2)"#
        let run = try run(file, "awk 'NR == \(line) { n = length($0) - 9; $0 = \(change) } 1'")
        #expect(run.messages.contains("audit: error: line \(line) is not one that audit writes"), "\(run.messages)")
    }

    @Test(arguments: ["summary", "metrics", "receipts"])
    func `is refused where no line says how many rows there are, if somebody asks for that`(table: String) throws {
        #expect(try AuditProcess("rows", table).exitCode == 0)
        let run = try AuditProcess("rows", "--whole", table)
        #expect(run.exitCode == 2)
        #expect(run.messages.contains("no line says how many rows of \(table) there are"), "\(run.messages)")
    }

    @Test(arguments: ["joined", "reported", "lines"])
    func `is refused if a row was changed`(file: String) throws {
        let run = try run(file, "awk '!n && /^{/ { sub(/\"csv\":\"./, \"&x\"); n = 1 } 1'")
        #expect(run.exitCode == 2)
        #expect(run.messages.contains("others are here: give audit rows all of them once"), "\(run.messages)")
    }
}
