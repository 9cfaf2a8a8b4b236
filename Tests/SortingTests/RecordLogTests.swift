import Files
import Foundation
import Sorting
import Testing

struct `A log of records` {
    private let folder = FileManager.default.temporaryDirectory.path()

    private func records(of log: inout RecordLog) throws -> [[UInt8]] {
        var found: [[UInt8]] = []
        while let piece = try log.nextPiece() {
            piece.forEach { record in found.append(record.indices.map { record[$0] }) }
        }
        return found
    }

    @Test(arguments: [0, 128 << 10, 16 << 20])
    func `gives back what was added, in that order, be it held in memory or in a file`(budget: Int) throws {
        let sizes = [0, 1, 127, 128, 300, 20_000, 0, 70_000, 2]
        let added = (0..<500).map { [UInt8](repeating: UInt8($0 % 251), count: sizes[$0 % sizes.count]) }
        var log = RecordLog(budget: budget, folder: folder)
        for record in added { try log.append(record.span) }
        #expect(try records(of: &log) == added)
        #expect(try records(of: &log) == [], "is empty then")
    }

    @Test func `says where it could not write`() throws {
        var log = RecordLog(budget: 0, folder: "/nowhere/at/all")
        let error = #expect(throws: FileError.self) {
            for _ in 0..<1_000 { try log.append([UInt8](repeating: 1, count: 1_000).span) }
        }
        #expect(error?.description.contains("/nowhere/at/all") == true)
    }
}
