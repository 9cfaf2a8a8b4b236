import Foundation
import Proofs
import Reports
import Testing

/// The samples in `reports/samples`, which people read before they run anything.
struct `A sample of a report` {
    private static let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let samples = project.appending(path: "reports/samples").path()

    @Test func `is what the command writes now; if it is not, make samples writes it anew`() throws {
        let export = try TestExport()
        let script = Self.project.appending(path: ".ci/samples").path()
        let made = try AuditProcess(shell: "\"$1\" \"$0\" \"$2\"", [script, export.path("now")])
        #expect(made.exitCode == 0)
        // One row of the sample is malformed, on both of its nights.
        let warnings = made.messages.split(separator: "\n")
        #expect(warnings.count == 2 && warnings.allSatisfy { $0.contains("1 row cannot be read (row-malformed)") })
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.samples).sorted()
        #expect(try export.names(in: "now") == names)
        for name in names {
            let (kept, now) = (try Self.bytes(Self.samples + "/" + name), try Self.bytes(export.path("now/" + name)))
            if name.hasSuffix(".xlsx") {
                #expect(try Self.parts(of: kept) == Self.parts(of: now), "\(name)")
            } else {
                #expect(Self.text(kept) == Self.text(now), "\(name)")
            }
        }
    }

    /// No database: its bytes depend on the version of SQLite.
    @Test func `is there in every other format, and of every table`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.samples)
        #expect(Set(names.compactMap { ReportFormat(path: $0) }) == Set(ReportFormat.allCases).subtracting([.sqlite]))
        for table in ReportRequest.Table.allCases {
            let format = ReportFormat.csv.holds(table) ? ".csv" : ".ndjson"
            #expect(names.contains(table.rawValue + format))
        }
    }

    @Test func `says of every figure what it means`() throws {
        let page = String(decoding: try Self.bytes(Self.samples + "/report.md"), as: UTF8.self)
        let lines = page.split(separator: "\n").map(String.init)
        let start = try #require(lines.firstIndex(of: "## Subscriptions"))
        for (heading, next) in zip(lines[start...], lines[start...].dropFirst()) where heading.hasPrefix("### ") {
            #expect(!next.hasPrefix("|") && next.hasSuffix("."), "\(heading)")
        }
    }

    @Test func `is small, and names no place of the machine that made it`() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.samples) {
            let bytes = try Self.bytes(Self.samples + "/" + name)
            #expect(bytes.count < 700_000, "\(name)")
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!text.contains("/tmp") && !text.contains(FileManager.default.temporaryDirectory.path()), "\(name)")
        }
    }

    private static func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

    /// Without the version of OpenSSL, which is the machine's.
    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).replacing(/OpenSSL \d+\.[^<|",\r\n]*/, with: "OpenSSL")
    }

    /// The parts of a ZIP file with their CRC-32; how they are compressed is the machine's. The part with the version
    /// of OpenSSL has none where another made the samples.
    private static func parts(of zip: [UInt8]) throws -> [String: Int] {
        func number(_ index: Int, _ count: Int) -> Int {
            zip[index..<index + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        let end = try #require(zip.indices.last { zip[$0...].starts(with: [0x50, 0x4b, 5, 6]) })
        let kept = String(decoding: try bytes(samples + "/summary.csv"), as: UTF8.self)
        var parts: [String: Int] = [:]
        var index = number(end + 16, 4)
        while index < end {
            let length = number(index + 28, 2)
            let name = String(decoding: zip[(index + 46)..<(index + 46 + length)], as: UTF8.self)
            let hasVersion = name == "xl/sharedStrings.xml"
            parts[name] = hasVersion && !kept.contains(OpenSSLVersion.text) ? 0 : number(index + 16, 4)
            index += 46 + length + number(index + 30, 2) + number(index + 32, 2)
        }
        return parts
    }
}

struct `A sample of what a later night adds` {
    @Test func `is the end of the larger export`() throws {
        let export = try TestExport()
        let sample = { (name: String, arguments: [String]) in
            try AuditProcess(
                lab: ["sample", export.path(name), "--count", "130", "--fraud", "0", "--plants", "0"] + arguments)
        }
        #expect(try sample("all", []).exitCode == 0)
        #expect(try sample("new", ["--first", "125"]).exitCode == 0)
        let rows = { (name: String) in export.text(of: name + "/receipts/devices.csv")?.split(separator: "\r\n") ?? [] }
        #expect(rows("new").count == 6)
        #expect(Array(rows("new").dropFirst()) == Array(rows("all").suffix(5)))
        let file = try #require(table(export.text(of: "new/receipts/devices.csv") ?? "").first?["file"])
        let bytes = ["all", "new"].map { FileManager.default.contents(atPath: export.path("\($0)/receipts/\(file)")) }
        #expect(bytes[0] != nil && bytes[0] == bytes[1])
    }
}
