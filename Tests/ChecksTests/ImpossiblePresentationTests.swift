import Encodings
import Inputs
import SampleStore
import Testing

@testable import Checks

struct `A date of presentation` {
    private static let asOf = Instant.utc(2026, 6, 30)
    private static let day: Int64 = 86_400

    private func doubt(_ date: String, madeOn creation: Instant? = nil) -> ClaimDoubt? {
        guard let date = Instant(written: Array(date.utf8).span) else { return nil }
        return ClaimDoubt.about(presentation: date, of: creation, asOf: Self.asOf)
    }

    @Test(arguments: [
        ("2008-07-09T23:59:59Z", ClaimDoubt.presentedBeforeAppStore), ("1970-01-01", .presentedBeforeAppStore),
        ("0", .presentedBeforeAppStore),
        ("2007-12-31", .presentedBeforeAppStore),
        ("46143.53", .presentedInExcelDays), ("46143", .presentedInExcelDays), ("46032.000000", .presentedInExcelDays),
        ("804340800", .presentedSince2001), ("804340800.25", .presentedSince2001),
        ("804340800000", .presentedSince2001),
        ("1782691", .presentedInThousands),
        ("2026-07-01T00:00:01Z", .presentedAfterAsOf), ("2026-12-01", .presentedAfterAsOf),
        ("2057-06-29", .presentedFarAhead), ("2062-06-20T00:00:00Z", .presentedFarAhead),
    ])
    func `is impossible before the App Store opened and after the reference time`(date: String, doubt: ClaimDoubt) {
        #expect(self.doubt(date) == doubt)
    }

    @Test(arguments: ["2008-07-10", "2008-07-10T00:00:00Z", "2026-06-30", "2026-07-01T00:00:00Z", "1782691200"])
    func `is possible in between, and a day later`(date: String) { #expect(doubt(date) == nil) }

    @Test func `is impossible more than a day before the proof was made`() {
        let made = Instant.utc(2026, 5, 20).adding(seconds: 3600)
        #expect(doubt("2026-05-19T00:59:59Z", madeOn: made) == .presentedBeforeProof)
        #expect(doubt("2026-05-19T01:00:00Z", madeOn: made) == nil)
        #expect(doubt("2026-05-19T00:59:59Z") == nil)
    }

    @Test func `without a time stands for its whole day`() {
        let made = Instant.utc(2026, 5, 20).adding(seconds: 23 * 3600)
        #expect(doubt("2026-05-19", madeOn: made) == nil)
        #expect(doubt("2026-05-18", madeOn: made) == .presentedBeforeProof)
        #expect(doubt("2026-05-19T00:00:01Z", madeOn: made) == .presentedBeforeProof)
    }

    @Test func `that is impossible is in the claim's id, and nowhere else`() throws {
        let authority = try PrivateAuthority()
        let checker = try Samples.checker(trusting: authority.root.certificate)
        let receipt = try authority.receipt(Samples.receipt)
        let identities = try IdentityHasher()
        var ids: Set<ClaimID> = []
        for (presented, isPossible) in [
            (nil, true), (Samples.created, true), (Samples.created.adding(seconds: -2 * Self.day), false),
            (Samples.asOf.adding(seconds: 2 * Self.day), false), (Instant(seconds: 46_143), false),
        ] {
            var claim = Samples.claim
            claim.presentedAt = presented
            var facts = checker.facts(of: claim, receipt: receipt.span)
            identities.identify(&facts, raw: receipt.span)
            ids.insert(facts.id)
            #expect((facts.impossiblePresentation == nil) == isPossible)
            #expect(facts.presentedAt == (isPossible ? presented : nil) && facts.claim.presentedAt == presented)
            #expect(facts.verdict == .valid)
        }
        #expect(ids.count == 5)
    }

    @Test func `is compared only with what Apple signed`() throws {
        let authority = try PrivateAuthority()
        let checker = try Samples.checker(trusting: authority.root.certificate)
        var claim = Samples.claim
        claim.presentedAt = Samples.created.adding(seconds: -2 * Self.day)
        var receipt = try authority.receipt(Samples.receipt)
        receipt[receipt.count - 1] ^= 1
        let facts = checker.facts(of: claim, receipt: receipt.span)
        #expect(!facts.isGenuine && facts.impossiblePresentation == nil)
    }
}
