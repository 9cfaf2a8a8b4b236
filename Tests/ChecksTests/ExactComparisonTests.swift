import Encodings
import Inputs
import Proofs
import SampleStore
import Testing

@testable import Checks

/// The Kelvin sign (U+212A) is canonically equivalent to K, and é (U+00E9) to e with an accent (U+0301).
struct `A text that is canonically equivalent to the receipt's` {
    private let authority: PrivateAuthority

    init() throws { authority = try PrivateAuthority() }

    @Test func `is not the bundle id that was claimed`() throws {
        let same = try failed(bundleID: "com.example.\u{212a}ino", claim: { $0.bundleID = "com.example.\u{212a}ino" })
        #expect(same == [])
        let other = try failed(bundleID: "com.example.\u{212a}ino", claim: { $0.bundleID = "com.example.Kino" })
        #expect(other == [.bundleIDMismatch])
        let reverse = try failed(bundleID: "com.example.Kino", claim: { $0.bundleID = "com.example.\u{212a}ino" })
        #expect(reverse == [.bundleIDMismatch])
    }

    @Test func `is not the bundle id of one of our apps`() throws {
        let own = try failed(bundleID: "com.example.Kino", expect: { $0.bundleIDs = ["com.example.Kino"] })
        #expect(own == [])
        let other = try failed(bundleID: "com.example.\u{212a}ino", expect: { $0.bundleIDs = ["com.example.Kino"] })
        #expect(other == [.bundleIDMismatch])
    }

    @Test func `is not the app version that was claimed`() throws {
        let same = try failed(appVersion: "1.0 \u{e9}", claim: { $0.appVersion = "1.0 \u{e9}" })
        #expect(same == [])
        let other = try failed(appVersion: "1.0 \u{e9}", claim: { $0.appVersion = "1.0 e\u{301}" })
        #expect(other == [.appVersionMismatch])
    }

    @Test func `is not an environment that is allowed`() throws {
        let same = try failed(environment: "K", expect: { $0.environments = ["K"] })
        #expect(same == [])
        let other = try failed(environment: "\u{212a}", expect: { $0.environments = ["K"] })
        #expect(other == [.environmentMismatch])
    }

    @Test func `is told apart from it in words`() throws {
        var claim = Claim(source: "claim")
        claim.bundleID = "com.example.Kino"
        let bytes = try authority.receipt(content(bundleID: "com.example.\u{212a}ino"), digest: .sha256)
        let inspection = try checker(Expectations(asOf: .utc(2026, 6, 1))).inspection(of: claim, receipt: bytes)
        let reason = inspection.checks.first { $0.check == .bundleIDMismatch }?.reason
        #expect(
            reason == """
                “com.example.Kino” was claimed, but the receipt's is “com.example.\u{212a}ino”: character 13 is U+004B \
                in the one, U+212A in the other.
                """)
    }

    private func content(bundleID: String) -> ReceiptContent {
        ReceiptContent(bundleID: bundleID, device: .vendorIdentifier(Array(1...16)), createdAt: .utc(2024, 3, 1))
    }

    private func checker(_ expectations: Expectations) throws -> Checker {
        let trust = try TrustAnchors(files: [(name: "root", bytes: authority.root.certificate)])
        return try Checker(trust: trust, expectations: expectations)
    }

    private func failed(
        bundleID: String = "com.example.notes", appVersion: String = "1.0", environment: String = "Production",
        expect: (inout Expectations) -> Void = { _ in }, claim change: (inout Claim) -> Void = { _ in }
    ) throws -> CheckSet {
        var content = content(bundleID: bundleID)
        content.appVersion = appVersion
        content.environment = environment
        var expectations = Expectations(asOf: .utc(2026, 6, 1))
        expect(&expectations)
        var claim = Claim(source: "claim")
        change(&claim)
        let bytes = try authority.receipt(content, digest: .sha256)
        return try checker(expectations).facts(of: claim, receipt: bytes.span).failed
    }
}
