import Encodings
import Testing

@testable import SampleStore

/// Ordinary lives that look like fraud at first sight.
struct `An honest person` {
    @Test
    func `upgrades before a renewal begins that was charged ahead, and Apple cancels it at once or in the evening`() {
        var delays: Set<Int64> = []
        for receipt in Self.lives.flatMap(\.receipts) {
            for renewal in receipt.content.purchases {
                guard let cancelled = renewal.cancelledAt, cancelled < renewal.purchasedAt.adding(seconds: 86_400),
                    let better = receipt.content.purchases.first(where: {
                        $0.originalTransactionID == renewal.originalTransactionID
                            && $0.productID != renewal.productID && $0.purchasedAt <= renewal.purchasedAt
                            && $0.purchasedAt >= renewal.purchasedAt.adding(seconds: -86_400)
                    })
                else { continue }
                delays.insert(cancelled.seconds - better.purchasedAt.seconds)
            }
        }
        #expect(delays == [0, Int64(Self.parameters.cancellationDelay)])
    }

    @Test func `presents a renewal that an upgrade cancelled, also as a token that says so`() {
        let shown = Self.lives.flatMap { lives in
            lives.claims.compactMap { claim -> TransactionContent? in
                guard case .transaction(let token) = lives.receipts[claim.receipt].token else { return nil }
                return token
            }
        }
        let cancelled = shown.filter { token in
            token.isUpgraded == true && token.revokedAt.map { $0 < token.purchasedAt } == true
        }
        #expect(!cancelled.isEmpty)
    }

    @Test func `buys as a guest, logs in within the hour, and sends the same transaction from the same device`() {
        var logins = 0
        for lives in Self.lives {
            for again in lives.claims where again.life.contains(.guestPurchase) {
                let first = lives.claims.first {
                    $0.person == again.person && $0.productID == again.productID && $0.devices == again.devices
                        && (120...3900).contains(again.presentedAt.seconds - $0.presentedAt.seconds)
                }
                guard let first else { continue }
                logins += 1
                #expect(first.accountID.hasPrefix("$RCAnonymousID:") && !again.accountID.hasPrefix("$"))
            }
        }
        #expect(logins > 0)
    }

    @Test
    func `has another id in an app from the day of its transfer to another team, and its old receipt for a while`() {
        let day = HonestWorld.day(Self.parameters.transferDay)
        var (former, latter, old) = (Set<String>(), Set<String>(), 0)
        for claim in Self.lives.flatMap(\.claims) where claim.bundleID == SampleApp.kingdoms.bundleID {
            guard let device = claim.devices.first?.text else { continue }
            if claim.presentedAt < day { former.insert(device) } else { latter.insert(device) }
            if claim.life.contains(.transferredApp) { old += 1 }
        }
        #expect(former.count > 50 && latter.count > 50 && former.isDisjoint(with: latter) && old > 10)
    }

    @Test func `is logged in to one account, however the clients write it`() {
        var spellings: [String: Set<String>] = [:]
        for claim in Self.lives.flatMap(\.claims) where !claim.accountToken.isEmpty && claim.marks.before.isEmpty {
            spellings[claim.accountToken, default: []].insert(claim.accountID)
        }
        for written in spellings.values {
            #expect(Set(written.map { $0.lowercased().filter { $0 != "-" } }).count == 1)
        }
        #expect(spellings.values.contains { $0.count > 1 })
        #expect(spellings.values.joined().contains { $0.hasPrefix("User-") && $0.hasSuffix("@example.com") })
    }

    @Test func `is in a row that a spreadsheet marked as text, which is valid JSON`() throws {
        let marked = Self.lives.flatMap(\.claims).filter { $0.life.contains(.spreadsheet) && !$0.accountID.isEmpty }
        let lines = marked.map { $0.line(receipt: "") }
        #expect(lines.contains { $0.contains(#""account_id":"'"#) })
        #expect(lines.contains { $0.contains(#""account_id":"=\""#) })
        #expect(marked.allSatisfy { $0.line(receipt: "").contains($0.accountID) })
    }

    /// Three hundred people, to whom more happens than to others.
    private static let lives: [HonestLives] = {
        guard let world = try? HonestWorld(persons: 0..<300, seed: 2, parameters: parameters) else { return [] }
        return world.accounts.map(world.lives(of:))
    }()

    private static let parameters: HonestParameters = {
        var parameters = HonestParameters()
        (parameters.earlyRenewals, parameters.lateUpgrades, parameters.guestLogins) = (60, 30, 100)
        (parameters.spreadsheetRows, parameters.capitals) = (30, 20)
        return parameters
    }()
}
