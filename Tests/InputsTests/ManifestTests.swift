import Encodings
import Testing

@testable import Inputs

struct `A manifest` {
    private let folder: Scratch

    init() throws {
        folder = try Scratch()
        for number in 0..<12 { try folder.write("r/sub/R\(number) é.der", "0\(number)") }
    }

    private func read(_ rows: [String], columns: String = "file") throws -> (lines: [String], faults: [String]) {
        try folder.write("r/devices.csv", columns + "\n" + rows.joined(separator: "\n") + "\n")
        let inputs = try Inputs([folder.path + "/r"])
        let lines = try claims(of: inputs).map(\.line)
        return (lines, inputs.omissions.manifestFaults)
    }

    @Test(arguments: [
        "sub/R# é.der", "/srv/exports/r/sub/R# é.der", "/R# é.der", "s3://bucket/r/sub/R# é.der", "sub\\R# é.der",
        "C:\\exports\\r\\sub\\R# é.der", "\\\\host\\share\\R# é.der", "SUB/r# É.DER", "sub/R#%20%C3%A9.der",
        "sub/R# e\u{301}.der",
        "https://bucket.example/sub/R#%20%c3%a9.der?X-Amz-Expires=900", "file:///srv/./sub/R# é.der", "R# é.der",
    ])
    func `names files as other systems write their names`(form: String) throws {
        let found = try read((0..<12).map { form.replacing("#", with: "\($0)") })
        #expect(found.lines == (0..<12).map { "devices.csv:\($0 + 2) 0\($0)" })
        #expect(found.faults == [])
    }

    @Test func `names no file if it may name several`() throws {
        try folder.write("r/sub/a.der", "0a")
        try folder.write("r/sub/A.der", "0A")
        try folder.write("r/a.der", "0b")
        let rows = ["sub/a.der", "SUB/A.der", "/x/sub/A.DER", "/x/a.der"]
        #expect(
            try read(rows).lines.prefix(4) == [
                "devices.csv:2 0a", "devices.csv:3 receiptNotFound", "devices.csv:4 receiptNotFound",
                "devices.csv:5 0b",
            ])
    }

    @Test(arguments: [("elsewhere/R#.der", "relative to the folder"), ("elsewhere/R# é.der", ", which no row names")])
    func `of which most rows name no file is told`(form: String, cause: String) throws {
        let found = try read((0..<12).map { form.replacing("#", with: "\($0)") })
        #expect(found.faults.count == 1 && found.faults[0].contains("12 of 12 rows name files that are not in"))
        #expect(found.faults[0].contains(cause), "\(found.faults)")
    }

    @Test func `that names few of the files is told, and one that lacks few is not`() throws {
        let names = (0..<12).map { "sub/R\($0) é.der" }
        #expect(try read(Array(names.prefix(6))).faults == [])
        #expect(try read(Array(names.prefix(5))).faults[0].contains("no row names 7 of the 12 files of"))
        #expect(try read(names + ["none.der"]).faults == [])
        // Files behind a link exist, although they are not listed.
        try folder.link("r/link", to: "sub")
        #expect(try read(names.map { "link" + $0.dropFirst(3) }).faults.allSatisfy { !$0.contains("not in") })
    }

    @Test(arguments: [
        ("Devices.csv", true), ("devices (1).csv", true), ("mine.tsv", true), ("x/devices.tsv", false),
        ("devices.der", false), ("x/devices.csv", true),
    ])
    func `of another name is told, and is not looked for beside one`(name: String, isTold: Bool) throws {
        try folder.write("m/a.der", "0")
        try folder.write("m/" + name, "file,device_id\na.der,x\n")
        let inputs = try Inputs([folder.path + "/m"])
        _ = try claims(of: inputs)
        #expect(inputs.omissions.manifestFaults.contains { $0.contains(name) } == isTold)
        try folder.write("m/devices.csv", "file,device_id\na.der,x\n\(name),\n")
        let whole = try Inputs([folder.path + "/m"])
        _ = try claims(of: whole)
        #expect(whole.omissions.manifestFaults == [])
    }
}
