import Encodings
import Inputs
import Receipts
import SampleStore
import Testing

@testable import Checks

/// What Apple signs inside what it signs.
struct `A token inside another one` {
    private static let date = Instant.utc(2026, 3, 1)
    private let authority: TokenAuthority
    private let checker: Checker

    init() throws {
        authority = try TokenAuthority()
        checker = try Samples.checker(trusting: authority.root.certificate)
    }

    private func token(_ json: SampleJSON) throws -> SampleJSON {
        .text(try authority.token(octets: json.octets).text)
    }

    private func notification(_ edits: MemberEdit..., type: String = "TEST", body: NotificationBody? = nil)
        -> SampleJSON
    {
        NotificationContent(type, uuid: "u", body: body, signedAt: Self.date).with { $0.edits = edits }.json
    }

    private let app = AppTransactionContent(bundleID: "com.example.notes", createdAt: Self.date).json
    private let transaction = TransactionContent(
        .nonConsumable, bundleID: "com.example.notes", productID: "pro", transactionID: "1", purchasedAt: Self.date
    ).json

    private func facts(_ json: SampleJSON) throws -> Facts {
        checker.facts(Array(try authority.token(octets: json.octets).text.utf8), Claim(source: "x"))
    }

    private func inside(_ json: SampleJSON) throws -> [Facts] { checker.tokens(inside: try facts(json)) }

    @Test func `is verified in the body of a withdrawn consent`() throws {
        let signed = try authority.token(octets: app.octets).text
        let data = NotificationAppData(bundleID: "com.example.notes").with { $0.signedAppTransaction = signed }
        let found = try inside(notification(type: "RESCIND_CONSENT", body: .appData(data)))
        #expect(found.map(\.kind) == ["app-transaction"] && found.map(\.verdict) == [.valid])
    }

    @Test func `is verified under any name, in an array, and one that is forged is not valid`() throws {
        let forged = try TokenAuthority.rogue().token(octets: transaction.octets).text
        let found = try inside(
            notification(
                .add("signedThings", .list([try token(transaction), .text(forged), .text("a.b.c"), .null])),
                .add("other", .object([("signedApp", try token(app))]))))
        #expect(found.map(\.kind) == ["transaction", "transaction", "app-transaction"])
        #expect(found.map(\.verdict) == [.valid, .invalid, .valid])
    }

    @Test func `is verified in another token than a notification, and in one inside`() throws {
        let outer = TransactionContent(
            .nonConsumable, bundleID: "com.example.notes", productID: "pro", transactionID: "2", purchasedAt: Self.date
        ).with { $0.edits = [.add("signedBundle", (try? token(transaction)) ?? .null)] }
        #expect(try inside(outer.json).map(\.token?.transactionID) == ["1"])
        let found = try inside(notification(.add("signedOuter", try token(outer.json))))
        #expect(found.map(\.token?.transactionID) == ["2", "1"])
    }

    @Test func `is found at a depth of 8, and no deeper`() throws {
        func nested(_ depth: Int) throws -> SampleJSON {
            (1..<depth).reduce(try token(app)) { json, _ in .object([("in", json)]) }
        }
        #expect(try inside(notification(.add("x", try nested(8)))).count == 1)
        #expect(try inside(notification(.add("x", try nested(9)))).isEmpty)
    }

    @Test func `is one of 64 at most, and more are said to be unknown`() throws {
        let one = try token(app)
        let few = try facts(notification(.add("x", .list([SampleJSON](repeating: one, count: 64)))))
        #expect(few.token?.unknown.map(\.member) == ["x"])
        #expect(checker.tokens(inside: few).count == 64)
        let many = try facts(notification(.add("x", .list([SampleJSON](repeating: one, count: 70)))))
        #expect(many.token?.unknown.map(\.member) == ["x", "(tokens inside)"])
        #expect(checker.tokens(inside: many).count == 64)
    }

    @Test(arguments: [
        "com.example.notes", "eyJhIjoxfQ.e30.x", "e30.e30.e30", "eyJhbGciOjF9", "eyJhbGciOjF9.e30",
        "eyJhbGciOjF9.e30.x.y",
        "W10.e30.x", "eyJhbGciOjF9!.e30.x", "...",
    ])
    func `is no text without two dots behind a header with an algorithm`(text: String) throws {
        #expect(try inside(notification(.add("x", .text(text)))).isEmpty)
    }

    @Test func `is any text where a transaction must be`() throws {
        let data = NotificationData(bundleID: "b").with { $0.signedTransaction = "none" }
        #expect(try inside(notification(body: .data(data))).map(\.verdict) == [.unreadable])
    }
}

/// Of what app and environment a notification is.
struct `The body of a notification` {
    private func read(_ members: [(String, SampleJSON)]) throws -> [ExactText?] {
        let json = SampleJSON.object(
            [("notificationType", .text("NEW")), ("notificationUUID", .text("u")), ("signedDate", .number(1))] + members
        )
        let token = try Token(parsing: json.octets)
        return [token.bundleID, token.environment]
    }

    private func body(_ bundleID: String?, _ environment: String?) -> SampleJSON {
        .object(
            [("bundleId", bundleID), ("environment", environment)].compactMap { name, value in
                value.map { (name, .text($0)) }
            })
    }

    @Test func `may have any name`() throws {
        #expect(try read([("unclaimInfo", body("a", "Sandbox"))]) == ["a", "Sandbox"])
        #expect(try read([("x", body("a", nil)), ("y", body(nil, "Production"))]) == ["a", "Production"])
        #expect(try read([("x", .text("a")), ("bundleId", .text("a"))]) == [nil, nil])
    }

    @Test func `says nothing where two that are not known disagree`() throws {
        #expect(try read([("x", body("a", "Sandbox")), ("y", body("b", "Sandbox"))]) == [nil, "Sandbox"])
        #expect(try read([("x", body("a", "Sandbox")), ("y", body("a", "Production"))]) == ["a", nil])
    }

    @Test func `counts more if its name is known`() throws {
        #expect(try read([("x", body("b", "Sandbox")), ("data", body("a", "Production"))]) == ["a", "Production"])
        #expect(try read([("data", body("a", nil)), ("x", body("b", "Sandbox"))]) == ["a", "Sandbox"])
    }

    @Test func `is of the sandbox if an external purchase token's id says so`() throws {
        func token(_ id: String) -> SampleJSON {
            .object([("externalPurchaseId", .text(id)), ("bundleId", .text("a"))])
        }
        #expect(try read([("externalPurchaseToken", token("SANDBOX_7"))]) == ["a", "Sandbox"])
        #expect(try read([("externalPurchaseToken", token("7"))]) == ["a", "Production"])
    }
}
