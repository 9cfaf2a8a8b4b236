import FoundationEssentials
import Testing

@testable import SampleStore

struct `The folder of a population` {
    @Test func `has a line of truth for each claim, and says how many there are`() throws {
        try withTemporaryFolder { folder in
            let world = try HonestWorld(persons: 0..<12, seed: 9)
            let summary = try HonestFolder(folder.path()).write(world)
            let claims = try Self.lines(folder, "claims.ndjson")
            let truths = try Self.lines(folder, "truth.ndjson")
            #expect(claims.count == summary.claims && truths.count == summary.claims && summary.persons == 12)
            var persons: Set<String> = []
            for (claim, truth) in zip(claims, truths) {
                let row = try JSONDecoder().decode([String: String].self, from: Data(claim.utf8))
                let told = try JSONDecoder().decode(Truth.self, from: Data(truth.utf8))
                let proof = try #require(row["receipt_data"])
                let container = Data(base64Encoded: proof)
                #expect(container?.starts(with: [0x30, 0x82]) ?? (proof.split(separator: ".").count == 3))
                #expect(row["presented_at"] != nil)
                #expect(told.claimID.count == 24 && told.life.allSatisfy(HonestLife.names.contains))
                persons.insert(told.person)
            }
            let circle = persons.filter { $0.hasPrefix("circle-0-") }
            #expect(persons.subtracting(circle) == Set((0..<12).map { "person-\($0)" } + ["tester-0"]))
            #expect(circle.count >= 3 && summary.circles == 1)
            #expect(try Self.lines(folder, "evidence.ndjson").count == summary.notifications)
        }
    }

    @Test func `names claims alike exactly if their rows are alike`() throws {
        try withTemporaryFolder { folder in
            var parameters = HonestParameters()
            parameters.duplicateRows = 200
            _ = try HonestFolder(folder.path()).write(
                HonestWorld(persons: 0..<6, seed: 3, parameters: parameters))
            let rows = try Self.lines(folder, "claims.ndjson")
            let ids = try Self.lines(folder, "truth.ndjson").map { String($0.prefix(40)) }
            #expect(Set(rows).count < rows.count)
            #expect(Set(ids).count == Set(rows).count)
            #expect(Set(zip(rows, ids).map { $0 + $1 }).count == Set(rows).count)
        }
    }

    @Test func `is replaced on request, and an export never`() throws {
        try withTemporaryFolder { folder in
            let world = try HonestWorld(persons: 0..<2, seed: 9)
            _ = try HonestFolder(folder.path()).write(world)
            #expect(throws: GeneratedFolder.Refusal.notEmpty(path: folder.path(), content: "a population")) {
                try HonestFolder(folder.path()).write(world)
            }
            #expect(try HonestFolder(folder.path()).write(world, replacing: true).persons == 2)
        }
        try withTemporaryFolder { folder in
            _ = try ExportFolder(folder.path()).write(SampleExport(count: 1, seed: 1))
            #expect(throws: GeneratedFolder.Refusal.notGenerated(path: folder.path(), content: "a population")) {
                try HonestFolder(folder.path()).write(HonestWorld(persons: 0..<1, seed: 9), replacing: true)
            }
        }
    }

    private struct Truth: Decodable {
        let claimID, person: String
        let life: [String]
        enum CodingKeys: String, CodingKey {
            case claimID = "claim_id"
            case person, life
        }
    }

    private static func lines(_ folder: URL, _ file: String) throws -> [String] {
        let text = String(decoding: try Data(contentsOf: folder.appending(path: file)), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }
}
