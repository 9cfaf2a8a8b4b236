import FoundationEssentials
import Testing

@testable import SampleStore

struct `The folder of an export` {
    @Test func `holds the trust anchor, the table, and every file that is not missing`() throws {
        try withTemporaryFolder { folder in
            let export = try SampleExport(count: 25, seed: 9, forgeryShare: 0.2)
            let summary = try ExportFolder(folder.path()).write(export)
            #expect(try Data(contentsOf: folder.appending(path: "root.cer")) == Data(export.root))
            let receipts = folder.appending(path: "receipts")
            var table = Data(SampleRow.header)
            for index in 0..<export.count {
                let claim = try export.claim(at: index)
                table += claim.row.line
                guard let file = claim.file, file.extendedTo == nil else { continue }
                #expect(try Data(contentsOf: receipts.appending(path: file.path)) == Data(file.bytes))
            }
            #expect(try Data(contentsOf: receipts.appending(path: "devices.csv")) == table)
            #expect(summary.claims == 25 && summary.genuine == 20)
        }
    }

    @Test func `explains itself in its README`() throws {
        try withTemporaryFolder { folder in
            _ = try ExportFolder(folder.path()).write(SampleExport(count: 210, seed: 9))
            let data = try Data(contentsOf: folder.appending(path: "README.md"))
            let text = String(decoding: data, as: UTF8.self)
            for forgery in Forgery.ofExports { #expect(text.contains("`\(forgery.rawValue)`"), "\(forgery)") }
        }
    }

    @Test func `tells the policy and the truth beside the receipts, and what is planted in its README`() throws {
        try withTemporaryFolder { folder in
            let export = try SampleExport(count: 160, seed: 9, plantShare: 0.5)
            let summary = try ExportFolder(folder.path()).write(export)
            #expect(summary.planted == (0..<160).count { export.plant(at: $0) != nil })
            #expect(summary.planted + summary.forged + summary.genuine == 160)
            let truth = try JSONDecoder().decode(
                TruthFile.self, from: Data(contentsOf: folder.appending(path: "truth.json")))
            #expect(truth.findings == export.expectedFindings())
            let policy = try Data(contentsOf: folder.appending(path: "policy.yml"))
            #expect(policy == Data(SamplePolicy.text.utf8))
            let readme = String(decoding: try Data(contentsOf: folder.appending(path: "README.md")), as: UTF8.self)
            for plant in Plant.allCases { #expect(readme.contains("`\(plant.rawValue)`"), "\(plant)") }
            #expect(readme.contains("`truth.json`") && readme.contains("`policy.yml`"))
        }
    }

    @Test func `has a policy that names every product once, with its kind and its subscription group`() {
        let lines = SamplePolicy.text.split(separator: "\n")
        for app in SampleApp.catalogue {
            #expect(lines.contains { $0 == "  \(app.bundleID):" })
            for product in app.products {
                let rows = lines.filter { $0.hasPrefix("      \(product.id): {kind: ") }
                #expect(rows.count == 1)
                #expect(rows.allSatisfy { $0.contains("group: ") == (product.kind == .autoRenewable) })
            }
        }
        #expect(lines.suffix(2) == ["rules: {}", "allow: []"])
    }

    @Test func `is not written over, unless it is an older export and one says so`() throws {
        try withTemporaryFolder { folder in
            let export = try SampleExport(count: 3, seed: 9)
            let target = ExportFolder(folder.path())
            _ = try target.write(export)
            #expect(throws: GeneratedFolder.Refusal.notEmpty(path: folder.path(), content: "an export")) {
                try target.write(export)
            }
            #expect(try target.write(export, replacing: true).claims == 3)
            #expect(try target.write(SampleExport(count: 60, seed: 9, plantShare: 1), replacing: true).planted > 0)
        }
    }

    @Test func `is refused where no folder can be`() throws {
        let path = "/dev/null/export"
        #expect(throws: GeneratedFolder.Refusal.unusable(path: path)) {
            try ExportFolder(path).write(SampleExport(count: 3, seed: 9))
        }
    }

    @Test func `is never replaced if it holds anything else`() throws {
        try withTemporaryFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("mine".utf8).write(to: folder.appending(path: "notes.txt"))
            #expect(throws: GeneratedFolder.Refusal.notGenerated(path: folder.path(), content: "an export")) {
                try ExportFolder(folder.path()).write(SampleExport(count: 3, seed: 9), replacing: true)
            }
        }
    }
}

/// Runs a body with the path of a folder that does not exist yet, and removes it afterwards.
func withTemporaryFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
        .appending(path: "sample-\(UUID().uuidString)", directoryHint: .isDirectory)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
}
