import SampleStore
import Testing

/// A token whose certificates are Apple's, signed in a way that is not known.
struct `A token with another algorithm` {
    private func messages(_ algorithm: String, by authority: TokenAuthority, asEvidence: Bool = false) throws -> String
    {
        let export = try TestExport()
        let content = TransactionContent(
            .nonConsumable, bundleID: "com.example.notes", productID: "pro", transactionID: "1",
            purchasedAt: .utc(2026, 3, 1))
        let token = try authority.token(
            content, as: TokenForm().with { $0.headerEdits = [.replace("alg", with: .text(algorithm))] }
        ).text
        try export.write(token, to: "tokens/a.jws")
        try export.write("{\"receipt_data\":\"\(asEvidence ? "none" : token)\"}\n", to: "claims.ndjson")
        try export.write(try TokenAuthority().root.certificate, to: "root.cer")
        let run = try AuditProcess(
            [
                "run", export.path("claims.ndjson"), "--root", export.path("root.cer"), "--as-of", "2026-03-20",
                "--quiet", "--report", export.path("out.csv"),
            ] + (asEvidence ? ["--evidence", export.path("tokens")] : []))
        // Of evidence none counts then.
        #expect(run.exitCode == (asEvidence ? 3 : 0))
        return run.messages
    }

    @Test(arguments: ["RS256", "ES384"]) func `is warned of as a newer form, quiet or not`(algorithm: String) throws {
        let authority = try TokenAuthority()
        let words = "1 token with Apple's certificates and an algorithm other than ES256: a newer form"
        #expect(try messages(algorithm, by: authority).contains(words))
        #expect(try messages(algorithm, by: authority, asEvidence: true).contains(words))
    }

    @Test func `is nothing new with other certificates, or under its own name`() throws {
        #expect(try messages("RS256", by: .rogue()) == "")
        #expect(try messages("ES256", by: TokenAuthority()) == "")
    }
}
