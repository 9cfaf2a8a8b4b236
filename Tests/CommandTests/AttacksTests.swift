import Encodings
import Foundation
import SampleStore
import Testing

struct `audit-lab attacks` {
    @Test func `writes each case as the schema says, and the same bytes each time`() throws {
        let export = try TestExport()
        let suite = export.path("suite")
        #expect(try AuditProcess(lab: ["attacks", suite]).exitCode == 0)
        let cases = try export.names(in: "suite/cases")
        #expect(cases == AttackSuite.cases.map { $0.id + ".json" }.sorted())
        let names = cases.map { "cases/" + $0 } + ["README.md", "index.json", "index.tsv", "schema.json"]
        let files = names.map { export.text(of: "suite/" + $0) }

        try export.write("altered", to: "suite/cases/control-sha1.json")
        let again = try AuditProcess(lab: ["attacks", suite])
        #expect(again.exitCode == 2)
        #expect(again.messages.contains("--force replaces an attack suite made before"))
        #expect(export.text(of: "suite/cases/control-sha1.json") == "altered")
        #expect(try AuditProcess(lab: ["attacks", suite, "--force"]).exitCode == 0)
        for (name, text) in zip(names, files) { #expect(export.text(of: "suite/" + name) == text, "\(name)") }

        let schema = try object(export, "suite/schema.json")
        let required = try #require(schema["required"] as? [String])
        for name in cases {
            let test = try object(export, "suite/cases/" + name)
            #expect(Set(test.keys) == Set(required), "\(name)")
            #expect((test["id"] as? String).map { $0 + ".json" } == name)
            for key in ["proof", "trust_anchors"] {
                for text in test[key] as? [String] ?? [test[key] as? String ?? "-"] {
                    #expect(Data(base64Encoded: text) != nil, "\(name) \(key)")
                }
            }
            let expected = try #require(test["expected"] as? [String: Any])
            #expect((expected["verdict"] as? String == "valid") == (test["control"] as? Bool))
        }
        let index = try object(export, "suite/index.json")["cases"] as? [[String: Any]]
        #expect(index?.compactMap { $0["id"] as? String } == AttackSuite.cases.map(\.id))
        #expect(export.text(of: "suite/index.tsv")?.split(separator: "\n").count == names.count - 3)
        try runScript(on: suite)
    }

    /// Has `Tests/Attacks/run.py` ask commands that say yes and no to everything, where there is Python.
    private func runScript(on suite: String) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Attacks/run.py")
        func run(_ arguments: String...) throws -> AuditProcess {
            let command = #"command -v python3 > /dev/null || exit 77; exec python3 "$@""#
            return try AuditProcess(shell: command, [script.path(), suite] + arguments)
        }
        let good = try run("--only", "control-sha", "--command", "yes=echo VALID: {device_id}")
        guard good.exitCode != 77 else { return }
        #expect(good.exitCode == 0)
        let both = try run("--only", "app-", "--command", "yes=echo valid", "--command", "no=echo unreadable {proof}")
        #expect(both.exitCode == 1)
        #expect(both.output.contains("\napps                     12     12      0\n"))
        #expect(both.output.contains("yes accepts: app-another, "))
        let table = try run("--only", "control-pem", "--command", "true=true", "--command", "no=false", "--markdown")
        #expect(table.exitCode == 0)
        #expect(table.output.contains("| controls | 1 | 0 | 1 |"))
    }

    @Test func `writes into a folder of its own only`() throws {
        let export = try TestExport()
        try export.write("mine", to: "other/notes.txt")
        let refused = try AuditProcess(lab: ["attacks", export.path("other"), "--force"])
        #expect(refused.exitCode == 2)
        #expect(refused.messages.contains("is not an attack suite made by this command"))
        #expect(export.text(of: "other/notes.txt") == "mine")
    }

    @Test func `writes what audit run answers as expected, those with one root in one run`() throws {
        let kit = try AttackKit()
        for (root, atLeast) in [(kit.store.root.certificate, 300), (kit.tokens.root.certificate, 150)] {
            let export = try TestExport()
            var manifest = "file,device_id,device_verification_id,bundle_id,app_version\n"
            var expected: [String: String] = [:]
            for test in AttackSuite.cases {
                let claim = try test.claim(kit)
                guard claim.trustAnchors == [root], claim.asOf == AttackKit.asOf, claim.allowedEnvironments == nil
                else { continue }
                try export.write(claim.proof, to: "receipts/" + test.id)
                let (verificationID, version) = (claim.deviceVerificationID ?? "", claim.appVersion ?? "")
                manifest += "\(test.id),\(claim.deviceID),\(verificationID),\(claim.bundleID),\(version)\n"
                expected[test.id] = "\(test.verdict) \(test.text.failedChecks.map(\.rawValue).joined(separator: ";"))"
            }
            #expect(expected.count > atLeast)
            try export.write(manifest, to: "receipts/devices.csv")
            try export.write(root, to: "store.cer")
            let run = try AuditProcess([
                "run", export.path("receipts"), "--root", export.path("store.cer"), "--as-of",
                AttackKit.asOf.description, "--report", "-",
            ])
            #expect(run.exitCode == 0)
            for row in run.rows {
                let id = row["file"] ?? ""
                #expect("\(row["verdict"] ?? "") \(row["failed_checks"] ?? "")" == expected[id], "\(id)")
                expected[id] = nil
            }
            #expect(expected.isEmpty)
        }
    }

    @Test func `writes environments that audit inspect tells apart with a policy`() throws {
        let export = try TestExport()
        let kit = try AttackKit()
        let test = try #require(AttackSuite.cases.first { $0.id == "environment-sandbox" })
        try export.write(test.claim(kit).proof, to: "sandbox.der")
        try export.write(kit.store.root.certificate, to: "store.cer")
        try export.write("version: 1\nenvironments: [Production]\n", to: "policy.yml")
        let words = [
            "inspect", export.path("sandbox.der"), "--root", export.path("store.cer"), "--as-of", "2026-06-30",
        ]
        #expect(try AuditProcess(words).output.hasPrefix("VALID"))
        let held = try AuditProcess(words + ["--policy", export.path("policy.yml")])
        #expect(held.output.hasPrefix("INVALID  environment-mismatch"))
        #expect(try AuditProcess(words + ["--policy", export.path("no.yml")]).exitCode == 66)
    }

    private func object(_ export: TestExport, _ name: String) throws -> [String: Any] {
        let bytes = try Data(contentsOf: URL(filePath: export.path(name)))
        return try #require(JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    }
}
