import Foundation
import Testing

@testable import Inputs

struct `The files that no row names` {
    let folder = FileManager.default.temporaryDirectory.path()

    @Test func `come in byte order of their paths`() throws {
        let files = ["b/1.der", "a0", "a/x.der", "a.der", "a", "a/w", "longer-than-8-b", "longer-than-8-a", "é", "~"]
        let unnamed = UnnamedFiles(hasManifest: false, temporaryFolder: folder)
        files.forEach { note($0, as: unnamed.note(file:)) }
        #expect(
            try paths(of: unnamed) == [
                "a", "a.der", "a/w", "a/x.der", "a0", "b/1.der", "longer-than-8-a", "longer-than-8-b", "~", "é",
            ])
    }

    @Test func `are those without a row, however often others are named`() throws {
        let unnamed = UnnamedFiles(hasManifest: true, temporaryFolder: folder)
        ["c", "a", "b"].forEach { note($0, as: unnamed.note(file:)) }
        ["b", "nowhere", "b"].forEach { note($0, as: unnamed.note(rowOf:)) }
        #expect(try paths(of: unnamed) == ["a", "c"])
    }

    @Test(arguments: [["c", "a", "b"], ["a", "b", "b"], ["a", "b", "x"], ["a", "b"], ["abcdefgh", "b", "c"]])
    func `are none only where rows name every file`(rows: [String]) throws {
        let unnamed = UnnamedFiles(hasManifest: true, temporaryFolder: folder)
        let files = ["a", "b", "c"]
        files.forEach { note($0, as: unnamed.note(file:)) }
        rows.forEach { note($0, as: unnamed.note(rowOf:)) }
        #expect(try paths(of: unnamed) == files.filter { !rows.contains($0) })
    }

    @Test func `may be more than fit into memory`() throws {
        var random = Seeded(state: 5)
        let unnamed = UnnamedFiles(hasManifest: true, temporaryFolder: folder, budget: 64 << 10)
        let files = (0..<10_000).map { "folder-\($0 % 7)/\($0).der" }.shuffled(using: &random)
        files.forEach { note($0, as: unnamed.note(file:)) }
        let rows = files.filter { _ in Bool.random(using: &random) }
        rows.shuffled(using: &random).forEach { note($0, as: unnamed.note(rowOf:)) }
        #expect(
            try paths(of: unnamed) == Set(files).subtracting(rows).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        )
    }

    @Test func `are not found where there is no room to sort them`() {
        let unnamed = UnnamedFiles(hasManifest: false, temporaryFolder: "/no/such/folder", budget: 64 << 10)
        (0..<10_000).forEach { note("file-\($0)", as: unnamed.note(file:)) }
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
