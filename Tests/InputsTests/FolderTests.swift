import Corpus
import Encodings
import Foundation
import Testing

@testable import Inputs

struct `A folder` {
    let folder: Scratch

    init() throws { folder = try Scratch() }

    @Test func `is its files in byte order of their paths`() throws {
        for name in ["b.der", "a/z.der", "a.der", "a/b/c", "B", "ä"] { try folder.write(name, "0" + name) }
        let found = try claims(folder.path)
        #expect(found.map(\.claim.source) == ["B", "a.der", "a/b/c", "a/z.der", "b.der", "ä"])
        #expect(found.allSatisfy { $0.bytes == Array("0\($0.claim.file)".utf8) })
    }

    @Test func `is first the rows of its manifest, then the files without a row`() throws {
        for name in ["1.der", "2.der", "3.der", "4.der"] { try folder.write(name, "0" + name) }
        try folder.write(
            "devices.csv",
            """
            File , DEVICE_ID,account_id,bundle_id,app_version,product_id,presented_at,colour
            ./3.der,4C4C4544-0051-3010-8052-B4C04F4E3432, anna ,com.a,1.2,pro,2025-04-30T02:30:31Z,red
            .//1.der,,,,,,,
            3.der,,bert,,,,,

            """)
        let source = try Inputs([folder.path])
        let found = try claims(of: source)
        #expect(
            found.map(\.line) == [
                "devices.csv:2 03.der", "devices.csv:3 01.der", "devices.csv:4 03.der", "2.der 02.der",
                "4.der 04.der",
            ])
        #expect(found[0].claim.file == "3.der")
        #expect(found[0].claim.deviceID == "4C4C4544-0051-3010-8052-B4C04F4E3432")
        #expect(found[0].claim.accountID == "anna")
        #expect(found[0].claim.bundleID == "com.a")
        #expect(found[0].claim.appVersion == "1.2")
        #expect(found[0].claim.productID == "pro")
        #expect(found[0].claim.presentedAt?.description == "2025-04-30T02:30:31Z")
        #expect(source.omissions.unknownColumns == ["colour"])
    }

    @Test func `may have its manifest elsewhere`() throws {
        let other = try Scratch()
        try folder.write("a.der", "0a")
        try folder.write("devices.csv", "not a manifest now")
        let devices = try other.write("mine.csv", "file,device_id\na.der,x\n")
        let found = try claims(folder.path, manifestPath: devices)
        #expect(found.map(\.line) == ["mine.csv:2 0a"])
    }

    @Test func `does not take its other manifest for a receipt`() throws {
        try folder.write("a.der", "0a")
        let devices = try folder.write("lists/mine.csv", "file,device_id\na.der,x\n")
        #expect(try claims(folder.path, manifestPath: devices).map(\.line) == ["mine.csv:2 0a"])
    }

    @Test func `gives the same claims whether or not files are read ahead`() throws {
        for number in 0..<300 { try folder.write("\(number / 100)/\(number).der", "0\(number)") }
        try folder.write("devices.csv", "file\n2/250.der\nnone.der\n")
        let ahead = try claims(folder.path)
        #expect(ahead.count == 301)
        #expect(ahead.map(\.line) == (try claims(folder.path, loading: false).map(\.line)))
    }

    @Test(arguments: [
        ["part-0000.csv", "_SUCCESS"], ["part-00000", "part-00001", "_SUCCESS", "._SUCCESS.crc"],
        ["part-0000.txt", "part-0001.txt"], ["a.csv", ".gitkeep", "README.md", ".DS_Store", "readme"],
        ["day=1/part-00000-1f2e.c000.snappy.parquet", "_delta_log/0.json"], ["a.ndjson.zst"], ["2026/a.json.gz"],
        ["shop.sql.gz"], ["export.gz"],
    ])
    func `of tables is refused, whatever tools put beside them`(names: [String]) throws {
        for name in names { try folder.write(name, "0") }
        #expect {
            try claims(folder.path)
        } throws: { error in
            if case InputError.folderOfTables(let path, let example) = error {
                path == folder.path && !names.allSatisfy { !example.hasSuffix($0) }
            } else {
                false
            }
        }
        // One file that may be a receipt makes a folder of receipts of it.
        try folder.write("x/1", "0")
        #expect(try claims(folder.path).count == names.count { LeftoverFile.kind(of: $0.utf8.span) == nil } + 1)
    }

    @Test(arguments: [
        ["part-0001.der"], ["party-1000"], ["part-12"], ["part-0001x"], [".hidden", "_x"], ["readme.b64.der"],
        ["a.txt"], ["0001.der.gz"],
    ])
    func `of other names is one of receipts`(names: [String]) throws {
        for name in names { try folder.write(name, "0") }
        #expect(try claims(folder.path).count == names.count)
    }

    @Test func `that is empty has no claims`() throws {
        #expect(try claims(folder.path).isEmpty)
        try folder.write("devices.csv", "")
        #expect(try claims(folder.path).isEmpty)
    }
}

struct `The files that no row names` {
    let folder = FileManager.default.temporaryDirectory.path()
    let receipts: ReceiptFolder

    init() throws { receipts = try ReceiptFolder(input: "/proc/self/task") }

    @Test func `come in byte order of their paths`() throws {
        let files = ["b/1.der", "a0", "a/x.der", "a.der", "a", "a/w", "longer-than-8-b", "longer-than-8-a", "é", "~"]
        let unnamed = UnnamedFiles(manifestOf: nil, temporaryFolder: folder)
        files.forEach { note($0, as: unnamed.add(file:)) }
        #expect(
            try paths(of: unnamed) == [
                "a", "a.der", "a/w", "a/x.der", "a0", "b/1.der", "longer-than-8-a", "longer-than-8-b", "~", "é",
            ])
    }

    @Test func `are those without a row, however often others are named`() throws {
        let unnamed = UnnamedFiles(manifestOf: receipts, temporaryFolder: folder)
        ["c", "a", "b"].forEach { note($0, as: unnamed.add(file:)) }
        ["b", "nowhere", "b"].forEach { note($0, as: unnamed.add(rowOf:)) }
        #expect(try paths(of: unnamed) == ["a", "c"])
    }

    @Test(arguments: [["c", "a", "b"], ["a", "b", "b"], ["a", "b", "x"], ["a", "b"], ["abcdefgh", "b", "c"]])
    func `are none only where rows name every file`(rows: [String]) throws {
        let unnamed = UnnamedFiles(manifestOf: receipts, temporaryFolder: folder)
        let files = ["a", "b", "c"]
        files.forEach { note($0, as: unnamed.add(file:)) }
        rows.forEach { note($0, as: unnamed.add(rowOf:)) }
        #expect(try paths(of: unnamed) == files.filter { !rows.contains($0) })
    }

    @Test func `may be more than fit into memory`() throws {
        var random = Seeded(state: 5)
        let unnamed = UnnamedFiles(manifestOf: receipts, temporaryFolder: folder, budget: 64 << 10)
        let files = (0..<10_000).map { "folder-\($0 % 7)/\($0).der" }.shuffled(using: &random)
        files.forEach { note($0, as: unnamed.add(file:)) }
        let rows = files.filter { _ in Bool.random(using: &random) }
        rows.shuffled(using: &random).forEach { note($0, as: unnamed.add(rowOf:)) }
        #expect(
            try paths(of: unnamed) == Set(files).subtracting(rows).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        )
    }

    @Test func `are not found where there is no room to sort them`() {
        let unnamed = UnnamedFiles(manifestOf: nil, temporaryFolder: "/no/such/folder", budget: 64 << 10)
        (0..<10_000).forEach { note("file-\($0)", as: unnamed.add(file:)) }
        #expect(throws: (any Error).self) { try paths(of: unnamed) }
    }

    private func note(_ path: String, as note: (Span<UInt8>) -> Void) {
        let bytes = Array(path.utf8)
        note(bytes.span)
    }

    private func paths(of unnamed: UnnamedFiles) throws -> [String] {
        var arena = ByteArena()
        var paths: [String] = []
        while let range = try unnamed.next(into: &arena) {
            paths.append(String(decoding: range.map { arena[$0] }, as: UTF8.self))
            #expect(arena[range.upperBound] == 0)
        }
        return paths
    }
}
