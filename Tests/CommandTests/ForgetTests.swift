import Foundation
import SampleStore
import Testing

/// A ledger in which two devices share a receipt, and a third has its own.
struct `A ledger from which claims are deleted` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        let shared = try TestExport.receipt()
        let third = SampleDevice.vendorIdentifier(Array(0x30...0x3f))
        try export.write(shared, to: "receipts/a.der")
        try export.write(try TestExport.receipt(for: third), to: "receipts/b.der")
        let phone = TestExport.phone.text
        try export.write(
            """
            file,device_id,account_id
            a.der,\(phone),alice
            a.der,\(TestExport.otherPhone.text),bob
            b.der,\(third.text),carol\n
            """, to: "receipts/devices.csv")
    }

    private var state: [String] { ["--state", export.path("ledger.db")] }

    private func run(asOf: String = "2026-06-30", _ arguments: String...) throws -> AuditProcess {
        let run = try AuditProcess(
            ["run", export.path("receipts"), "--root", export.root, "--as-of", asOf, "--report", "fraud=-"] + state
                + arguments)
        #expect(run.exitCode == 0, "\(run.messages)")
        return run
    }

    private func forget(_ arguments: String...) throws -> AuditProcess { try forget(arguments) }

    private func forget(_ arguments: [String]) throws -> AuditProcess {
        try AuditProcess(["forget"] + state + arguments)
    }

    /// The option that makes pseudonyms, with its key.
    private var key: [String] {
        get throws {
            try export.write("a key of sixteen bytes or more", to: "key")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: export.path("key"))
            return ["--pseudonymise", export.path("key")]
        }
    }

    /// Whether the ledger's bytes hold a device.
    private func holds(_ device: SampleDevice) throws -> Bool {
        let bytes = try Data(contentsOf: URL(filePath: export.path("ledger.db")))
        let hex = device.text.replacing("-", with: "")
        let octets = stride(from: 0, to: hex.count, by: 2).compactMap { place -> UInt8? in
            let start = hex.index(hex.startIndex, offsetBy: place)
            return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16)
        }
        return bytes.range(of: Data(octets)) != nil || bytes.range(of: Data(device.text.utf8)) != nil
    }

    @Test(arguments: [false, true])
    func `no longer holds what an export had in the place of a device`(isPseudonymised: Bool) throws {
        let key = export.path("key")
        try export.write(String(repeating: "k", count: 32), to: "key")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        let options = isPseudonymised ? ["--pseudonymise", key] : []
        try export.write("file,device_id\na.der,unknown phone 17\nb.der,some tablet 4\n", to: "receipts/devices.csv")
        let ran = try AuditProcess(
            ["run", export.path("receipts"), "--root", export.root, "--report", "fraud=-"] + state + options)
        #expect(ran.exitCode == 3, "no cell is a device: \(ran.messages)")
        let forgotten = try AuditProcess(["forget", "--device", "unknown phone 17"] + state + options)
        #expect(forgotten.exitCode == 0 && forgotten.messages.contains("deleted 1 claim,"), "\(forgotten.messages)")
        let bytes = try Data(contentsOf: URL(filePath: export.path("ledger.db")))
        #expect(bytes.range(of: Data("unknown phone 17".utf8)) == nil)
        #expect((bytes.range(of: Data("some tablet 4".utf8)) != nil) == !isPseudonymised)
    }

    @Test func `replaces the ledger before the last change, and deletes a damaged one`() throws {
        _ = try run()
        _ = try run()
        for name in ["ledger.db.damaged", "ledger.db.damaged.txt"] { try export.write("old", to: name) }
        #expect(try forget("--device", TestExport.otherPhone.text).exitCode == 0)
        #expect(try !holds(TestExport.otherPhone))
        let left = try export.names(in: "").filter { $0.hasPrefix("ledger.db") }.sorted()
        #expect(left == ["ledger.db", "ledger.db.damaged.txt", "ledger.db.previous"])
        let ledgers = try ["ledger.db", "ledger.db.previous"].map {
            try Data(contentsOf: URL(filePath: export.path($0)))
        }
        #expect(ledgers[0] == ledgers[1])
    }

    @Test func `no longer holds a device, and treats it as new`() throws {
        _ = try run()
        #expect(try holds(TestExport.otherPhone))
        let forgotten = try forget("--device", TestExport.otherPhone.text.lowercased())
        #expect(forgotten.exitCode == 0, "\(forgotten.messages)")
        #expect(forgotten.messages.contains("deleted 1 claim,"), "\(forgotten.messages)")
        #expect(try !holds(TestExport.otherPhone))
        // Its earlier claims are gone: only the two that are left are known.
        try export.write("file,device_id\nb.der,\(TestExport.phone.text)\n", to: "receipts/devices.csv")
        let later = try run(asOf: "2026-07-30")
        #expect(later.rows.first { $0["rule"] == "shared-receipt" }?["devices"] == "2")
    }

    @Test func `no longer holds an account`() throws {
        _ = try run()
        #expect(try forget("--account", "carol").messages.contains("deleted 1 claim,"))
        let bytes = try Data(contentsOf: URL(filePath: export.path("ledger.db")))
        #expect(bytes.range(of: Data("carol".utf8)) == nil)
        #expect(bytes.range(of: Data("alice".utf8)) != nil)
    }

    @Test func `no longer knows what is older than a date`() throws {
        let first = try run()
        #expect(try forget("--before", "2026-06-30").messages.contains("nothing to delete"))
        #expect(try forget("--before", "2026-07-01").messages.contains("deleted 3 claims"))
        let second = try run(asOf: "2026-07-30")
        #expect(second.rows.count == first.rows.count)
        #expect(second.rows.allSatisfy { $0["first_seen"] == "2026-07-30T00:00:00Z" })
    }

    @Test(arguments: ["no", "id", "pseudonym"])
    func `no longer holds a person`(pseudonym: String) throws {
        try export.writeSample(count: 120, seed: 7, plantShare: 0)
        let key = try pseudonym == "no" ? [] : self.key
        let run = try AuditProcess(
            [
                "run", export.path("sample/receipts"), "--root", export.path("sample/root.cer"), "--as-of",
                "2026-06-30",
                "--report", "receipts=-",
            ] + state + key)
        let places = run.rows.indices.filter { run.rows[$0]["app_transaction_id"]?.isEmpty == false }
        let place = try #require(places.first)
        let written = try #require(run.rows[place]["app_transaction_id"])
        #expect(try holds(written))
        let plain = try AuditProcess([
            "run", export.path("sample/receipts"), "--root", export.path("sample/root.cer"), "--as-of", "2026-06-30",
            "--report", "receipts=-", "--quiet",
        ])
        let id = try #require(plain.rows[place]["app_transaction_id"])
        #expect((id == written) == key.isEmpty)
        // A pseudonym needs no key.
        let forgotten =
            pseudonym == "pseudonym" ? try forget(["--person", written]) : try forget(["--person", id] + key)
        #expect(forgotten.messages.contains("deleted ") && !forgotten.messages.contains("deleted 0 claims"))
        #expect(try !holds(written))
    }

    @Test(arguments: [false, true])
    func `no longer holds an account token, in a claim or in evidence`(isPseudonym: Bool) throws {
        let (token, other) = ("7e4b0a3c-0000-4000-8000-000000000001", "7e4b0a3c-0000-4000-8000-000000000002")
        var story = try RefundStory()
        for (id, token) in [(1, token), (2, token.uppercased()), (3, other)] {
            let purchase = RefundStory.purchase(id, product: "pack-\(id)").with { $0.accountToken = token }
            try story.claim(purchase)
            try story.tell(
                "REFUND", purchase.with { ($0.revokedAt, $0.signedAt) = (.utc(2026, 3, 9), .utc(2026, 3, 10)) })
        }
        try export.write("a key of sixteen bytes or more", to: "key")
        let key = isPseudonym ? ["--pseudonymise", export.path("key")] : []
        try story.write()
        let arguments = [
            "run", story.export.path("claims.ndjson"), "--evidence", story.export.path("told.jws"), "--as-of",
            "2026-04-01",
            "--report", "subscriptions=-",
        ]
        let run = try AuditProcess(arguments + story.options + state + key)
        #expect(run.exitCode == 0, "\(run.messages)")
        #expect(
            try (holds(token), holds(token.uppercased()), holds(other)) == (!isPseudonym, !isPseudonym, !isPseudonym))
        let forgotten = try AuditProcess(["forget"] + state + key + ["--account-token", token.uppercased()])
        // Two claims, and two refunds, each with the transaction and its account.
        #expect(forgotten.messages.contains("deleted 4 claims, "), "\(forgotten.messages)")
        #expect(forgotten.messages.contains(" 4 statements of evidence "), "\(forgotten.messages)")
        #expect(try !holds(token) && !holds(token.uppercased()))
        #expect(try holds("pack-3") && !holds("pack-1") && !holds("pack-2"))
    }

    @Test func `is left alone by what is no account token`() throws {
        _ = try run()
        #expect(try forget("--account-token", "nobody").exitCode == 64)
    }

    private func holds(_ text: String) throws -> Bool {
        let bytes = try Data(contentsOf: URL(filePath: export.path("ledger.db")))
        return bytes.range(of: Data(text.utf8)) != nil
    }

    @Test func `no longer holds the device of a token that has only a verification id`() throws {
        try export.writeSample(count: 120, seed: 7, plantShare: 0)
        let manifest = table(export.text(of: "sample/receipts/devices.csv") ?? "")
        let row = try #require(manifest.first { $0["device_verification_id"]?.isEmpty == false })
        let (file, id) = (row["file"] ?? "", row["device_verification_id"] ?? "")
        try export.write("file,device_verification_id\n\(file),\(id)\n", to: "sample/receipts/one.csv")
        let ran = try AuditProcess(
            ["run", export.path("sample/receipts/one.csv"), "--root", export.path("sample/root.cer")] + state + key)
        #expect(ran.exitCode == 0, "\(ran.messages)")
        let forgotten = try forget(["--device", id] + key)
        #expect(forgotten.messages.contains("deleted 1 claim,"), "\(forgotten.messages)")
    }

    @Test(arguments: [
        ["--account", "alice"], ["--person", "1"], ["--device", TestExport.phone.text],
        ["--account-token", "7e4b0a3c-0000-4000-8000-000000000001"],
    ])
    func `with pseudonyms is not searched for ids without the key`(wanted: [String]) throws {
        let ran = try AuditProcess(["run", export.path("receipts"), "--root", export.root] + state + key)
        #expect(ran.exitCode == 0)
        let refused = try forget(wanted)
        #expect(refused.exitCode == 2 && refused.messages.contains("was made with pseudonyms"), "\(refused.messages)")
        #expect(try forget("--before", "2020-01-01").exitCode == 0)
        let searched = try forget(wanted + key)
        let isUnknown = searched.exitCode == 2 && searched.messages.contains("knows nothing of")
        #expect(searched.exitCode == 0 || isUnknown, "\(searched.messages)")
    }

    @Test func `forgets who stands behind a pseudonym, with its key`() throws {
        try export.write("a key of sixteen bytes or more", to: "key")
        try export.write("another key of sixteen bytes", to: "key2")
        _ = try run("--pseudonymise", export.path("key"))
        let other = try forget("--account", "alice", "--pseudonymise", export.path("key2"))
        #expect(other.exitCode == 2)
        #expect(other.messages.contains("is not the key of the ledger"), "\(other.messages)")
        let forgotten = try forget("--account", "alice", "--pseudonymise", export.path("key"))
        #expect(forgotten.messages.contains("deleted 1 claim,"), "\(forgotten.messages)")
    }

    @Test(arguments: [
        ([], "Give --device, --account, --person, --account-token, --before or --run"),
        (["--device", ""], "must not be empty"),
    ])
    func `is not touched by arguments that name nothing`(arguments: [String], message: String) throws {
        let run = try AuditProcess(["forget"] + state + arguments)
        #expect(run.exitCode == 64)
        #expect(run.messages.contains(message), "\(run.messages)")
    }

    @Test func `must be there`() throws {
        #expect(try forget("--account", "carol").exitCode == 2)
        #expect(!FileManager.default.fileExists(atPath: export.path("ledger.db")))
    }
}
