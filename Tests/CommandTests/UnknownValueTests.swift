import Encodings
import SampleStore
import Testing

/// A run's messages about values that the App Store writes and this version does not know.
struct `An unknown value in a run` {
    private static let asOf = "2026-03-20"

    private func transaction(
        _ id: Int, _ change: (inout TransactionContent) -> Void = { _ in }
    ) -> TransactionContent {
        RefundStory.purchase(id, product: "month", expires: .utc(2026, 4, 1)).with(change)
    }

    private func story(
        _ claims: TransactionContent..., by authority: TokenAuthority? = nil,
        _ told: (inout RefundStory) throws -> Void = { _ in }
    ) throws -> RefundStory {
        var story = try RefundStory()
        for claim in claims { try story.claim(claim, by: authority) }
        try told(&story)
        return story
    }

    private func run(_ story: RefundStory, _ table: String = "summary", _ more: String...) throws -> AuditProcess {
        try story.run(
            of: table, asOf: Self.asOf, with: ["--evidence", story.export.path("told.jws"), "--allow-empty"] + more)
    }

    private func unknown(_ run: AuditProcess) -> [[String?]] {
        run.rows.filter { $0["section"] == "unknown" }.map { [$0["item"], $0["measure"], $0["value"]] }
    }

    @Test func `is counted over claims and evidence, once in each token`() throws {
        let seat = transaction(1) {
            ($0.revokedAt, $0.revocationType, $0.signedAt) = (.utc(2026, 3, 9), "ASSIGNMENT_REVOKE", .utc(2026, 3, 9))
            $0.edits = [.add("new", .number(1))]
        }
        let story = try story(seat, seat, transaction(2)) {
            try $0.tell("SEAT_TAKEN", seat)
            try $0.tell("REFUND", subtype: "PART", seat)
        }
        let expected = [
            ["transaction;revocationType;ASSIGNMENT_REVOKE", "tokens", "4"],
            ["transaction;revocationType;ASSIGNMENT_REVOKE", "decisive", "4"],
            ["notification;subtype;PART", "tokens", "1"], ["notification;subtype;PART", "decisive", "1"],
            ["transaction;new", "tokens", "4"], ["notification;notificationType;SEAT_TAKEN", "tokens", "1"],
        ]
        #expect(unknown(try run(story)) == expected)
        let nights = try (0..<2).map { _ in try run(story, "summary", "--state", story.export.path("ledger")).output }
        #expect(nights[0] == nights[1])
    }

    @Test func `is told of a quiet run only where a known one decides money or access`() throws {
        let story = try story(transaction(1) { $0.ownership = "RENTED" }, transaction(2) { $0.reason = "GIFT" })
        let quiet = try run(story, "receipts", "--quiet")
        #expect(
            quiet.messages.contains(
                "inAppOwnershipType “RENTED” (transaction) in 1 token: this version does not know it"))
        #expect(!quiet.messages.contains("GIFT") && !quiet.messages.contains("section unknown"))
        let loud = try run(story, "receipts")
        #expect(loud.messages.contains("this version does not know a member or value of tokens: the section unknown"))
    }

    @Test func `of a forger is not counted`() throws {
        let run = try run(story(transaction(1) { $0.ownership = "RENTED" }, by: .rogue()), "summary", "--quiet")
        #expect(unknown(run).isEmpty && !run.messages.contains("RENTED"))
    }

    @Test(arguments: [("SEAT_TAKEN", "REFUND_FULL", "refunded"), ("REFUND", "SEAT", "revoked")])
    func `of a notification's type leaves the tokens inside as they are`(
        type: String, revocation: String, state: String
    ) throws {
        let told = transaction(1) {
            ($0.revokedAt, $0.revocationType, $0.signedAt) = (.utc(2026, 3, 9), revocation, .utc(2026, 3, 9))
        }
        let run = try run(story(transaction(1)) { try $0.tell(type, told) }, "subscriptions")
        #expect(run.rows.map { $0["state"] } == [state])
    }

    @Test func `does not matter beside a consent that was withdrawn, whose app transaction is verified`() throws {
        let app = AppTransactionContent(bundleID: "com.example.notes", createdAt: .utc(2026, 2, 1)).with {
            ($0.appTransactionID, $0.edits) = ("70", [.add("requestDate", .date(.utc(2026, 2, 1)))])
        }
        let story = try story(transaction(1) { $0.appTransactionID = "70" }) { story in
            let signed = try story.authority.token(app).text
            let data = NotificationAppData(bundleID: "com.example.notes").with { $0.signedAppTransaction = signed }
            let consent = NotificationContent(
                "RESCIND_CONSENT", uuid: "u", body: .appData(data), signedAt: .utc(2026, 3, 1))
            story.told.append(try story.authority.token(consent).text)
        }
        let rows = try run(story, "evidence").rows
        #expect(rows.map { $0["kind"] } == ["notification", "app-transaction"])
        #expect(rows.allSatisfy { $0["verdict"] == "valid" && $0["bundle_id"] == "com.example.notes" })
        #expect(try run(story, "fraud").rows.isEmpty)
        #expect(unknown(try run(story)).isEmpty)
    }

    @Test func `is marked by inspect, in text and in JSON`() throws {
        let story = try RefundStory()
        let rented = transaction(1) {
            ($0.ownership, $0.edits) = ("RENTED", [.add("new", .object([("a", .number(1))]))])
        }
        try story.export.write(try story.authority.token(rented).text, to: "a.jws")
        let arguments = ["inspect", story.export.path("a.jws"), "--as-of", Self.asOf] + story.options
        let text = try AuditProcess(arguments).output
        #expect(text.contains("RENTED (this version does not know the value)"))
        #expect(text.contains("1 (this version does not know the member)"))
        let json = try AuditProcess(arguments + ["--json"]).output
        #expect(json.split(separator: "\"unknown\" : \"value\"").count == 2)
        #expect(json.split(separator: "\"unknown\" : \"member\"").count == 2)
    }
}
