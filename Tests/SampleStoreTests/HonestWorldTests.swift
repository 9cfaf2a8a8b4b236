import Checks
import Corpus
import Encodings
import FoundationEssentials
import Inputs
import Proofs
import Testing

@testable import SampleStore

struct `A simulated population` {
    @Test func `is the same for the same seed, and another for another`() throws {
        let one = try Self.lines(HonestWorld(persons: 0..<20, seed: 7))
        #expect(one == (try Self.lines(HonestWorld(persons: 0..<20, seed: 7))))
        #expect(one != (try Self.lines(HonestWorld(persons: 0..<20, seed: 8))))
        #expect(one.count > 100)
    }

    @Test func `is the same persons in parts as in one piece`() throws {
        let whole = try HonestWorld(persons: 0..<700, seed: 3)
        // Apple Accounts that begin before person 216, and those that begin later.
        let (former, latter) = (
            try HonestWorld(persons: 0..<216, seed: 3), try HonestWorld(persons: 216..<700, seed: 3)
        )
        #expect(former.accounts.upperBound == latter.accounts.lowerBound)
        #expect(former.accounts.lowerBound == 0 && latter.accounts.upperBound == whole.accounts.upperBound)
        #expect(former.testers.upperBound == latter.testers.lowerBound)
        #expect(former.circles.upperBound == latter.circles.lowerBound)
        #expect(latter.testers.upperBound == whole.testers.upperBound)
        for account in [0, 100, former.accounts.upperBound - 1] {
            #expect(Self.claims(former, account) == Self.claims(whole, account))
        }
        for account in [latter.accounts.lowerBound, latter.accounts.upperBound - 1] {
            #expect(Self.claims(latter, account) == Self.claims(whole, account))
        }
    }

    @Test func `has five couples and one family of four to 100 Apple Accounts, and every person once`() throws {
        let world = try HonestWorld(persons: 0..<1080, seed: 1)
        #expect(world.accounts == 0..<1000)
        let sizes = world.accounts.map { world.lives(of: $0).people.count }
        #expect(sizes.count { $0 == 2 } == 50 && sizes.count { $0 == 4 } == 10 && sizes.reduce(0, +) == 1080)
        let cut = try HonestWorld(persons: 0..<50, seed: 1)
        let persons = cut.accounts.flatMap { cut.lives(of: $0).people.map(\.number) }
        #expect(persons == Array(0..<50))
    }

    @Test func `changes phones, sends old receipts, keeps both phones and reinstalls as its parameters say`() {
        let parameters = HonestParameters()
        var random = SeededGenerator(seed: 4)
        var (changes, old, both, years, resets) = (0, 0, 0, 0.0, 0)
        for number in 0..<2000 {
            let phones = HonestDevice.succession(
                isMac: false, number: number * 32, place: 0, seed: 4, parameters, &random)
            for (phone, next) in zip(phones, phones.dropFirst()) {
                let days = (next.use.lowerBound.seconds - phone.use.lowerBound.seconds) / 86_400
                #expect((730...1096).contains(days) && phone.replacedAt == next.use.lowerBound)
                changes += 1
                if next.oldReceiptUntil != nil { old += 1 }
                if phone.use.upperBound.seconds - next.use.lowerBound.seconds > 86_400 { both += 1 }
            }
            for phone in phones {
                years += Double(phone.use.upperBound.seconds - phone.use.lowerBound.seconds) / (365 * 86_400)
                resets += phone.resets(vendor: 1, parameters).count
            }
        }
        // Within four standard deviations of a binomial distribution.
        #expect(abs(Double(old) / Double(changes) - 0.33) < 0.04, "\(old) of \(changes)")
        #expect(abs(Double(both) / Double(changes) - 0.30) < 0.04, "\(both) of \(changes)")
        #expect(abs(Double(resets) / years - 0.325) < 0.03, "\(resets) in \(years) years")
    }

    @Test func `has an account in half of its uses, and reopens three accounts in a hundred`() throws {
        let world = try HonestWorld(persons: 0..<3240, seed: 6)
        let parameters = HonestParameters()
        var (uses, withAccounts, reopened, guests) = (0, 0, 0, 0)
        for number in world.persons {
            var random = SeededGenerator(seed: 6, index: number)
            let person = HonestPerson(
                number: number, account: number, member: 0, first: nil, seed: 6, parameters, &random)
            uses += person.uses.count
            withAccounts += person.uses.count { HonestPerson.appsWithAccounts.contains($0.app) }
            if person.reopened != nil { reopened += 1 }
            if person.loggedInAt == nil { guests += 1 }
        }
        #expect(abs(Double(withAccounts) / Double(uses) - 0.5) < 0.05, "\(withAccounts) of \(uses)")
        #expect((60...135).contains(reopened), "\(reopened)")
        #expect((250...400).contains(guests), "\(guests)")
    }

    @Test func `has no receipt of the future, and no claim outside of its three years`() throws {
        for lives in try Self.sample.lives {
            for claim in lives.claims {
                #expect(claim.presentedAt >= HonestWorld.start && claim.presentedAt <= HonestWorld.end)
                #expect(lives.receipts[claim.receipt].content.createdAt <= claim.presentedAt)
            }
        }
    }

    @Test func `never tells two tales of one transaction`() throws {
        var tales: [String: [String]] = [:]
        for lives in try Self.sample.lives {
            for purchase in lives.receipts.flatMap(\.content.purchases) {
                let tale = [
                    purchase.productID, purchase.purchasedAt.description, purchase.originalTransactionID,
                ]
                #expect(tales[purchase.transactionID, default: tale] == tale)
                tales[purchase.transactionID] = tale
            }
        }
        #expect(tales.count > 100)
    }

    @Test func `has no dates that cannot be: only renewals are shown before they begin, by a day at most`() throws {
        var parameters = HonestParameters()
        parameters.refunds = 30
        let world = try HonestWorld(persons: 0..<Exhaustive.count(2000, sampled: 200), seed: 12, parameters: parameters)
        for receipt in world.accounts.flatMap({ world.lives(of: $0).receipts }) {
            for purchase in receipt.content.purchases {
                let ahead = purchase.purchasedAt.seconds - receipt.content.createdAt.seconds
                let isRenewal = purchase.originalTransactionID != purchase.transactionID && purchase.expiresAt != nil
                #expect(ahead <= (isRenewal ? 86_400 : 0))
                #expect(purchase.originallyPurchasedAt <= purchase.purchasedAt)
                // An upgrade cancels a renewal that was charged ahead.
                #expect(
                    purchase.cancelledAt.map {
                        $0 >= purchase.purchasedAt || isRenewal && $0 <= receipt.content.createdAt
                    } ?? true)
                #expect(purchase.expiresAt.map { $0.seconds - purchase.purchasedAt.seconds >= 86_400 } ?? true)
            }
        }
    }

    @Test func `shows a reversed refund only until it is reversed, and an upgrade as the end of its period`() {
        var content = PurchaseContent(
            .autoRenewable, productID: "a", transactionID: "1", purchasedAt: .utc(2025))
        content.expiresAt = .utc(2025, 2)
        var purchase = HonestPurchase(content: content, shownAt: content.purchasedAt, use: 0)
        purchase.refundedAt = .utc(2025, 1, 10)
        purchase.reversedAt = .utc(2025, 1, 20)
        #expect(purchase.content(asOf: .utc(2024, 12, 31)) == nil)
        #expect(purchase.content(asOf: .utc(2025, 1, 9))?.cancelledAt == nil)
        #expect(purchase.content(asOf: .utc(2025, 1, 10))?.cancelledAt == .utc(2025, 1, 10))
        #expect(purchase.content(asOf: .utc(2025, 1, 20))?.cancelledAt == .some(nil))
        #expect(purchase.life(asOf: .utc(2025, 1, 10)) == .reversedRefund)
        purchase.refundedAt = nil
        purchase.upgradedAt = .utc(2025, 1, 5)
        #expect(purchase.content(asOf: .utc(2025, 1, 6))?.cancelledAt == .utc(2025, 1, 5))
    }

    @Test func `lives through everything that the rules of fairness name`() throws {
        var seen: HonestLife = []
        // Without signing, so that there are enough people for rare cases to occur.
        let world = try HonestWorld(
            persons: 0..<Exhaustive.count(3000, sampled: 400), seed: 2, parameters: Self.eventful)
        for account in world.accounts {
            for claim in world.lives(of: account).claims { seen.formUnion(claim.life) }
        }
        for claim in world.life(ofTester: 0).claims { seen.formUnion(claim.life) }
        for claim in (0..<12).flatMap({ world.lives(ofCircle: $0).claims }) { seen.formUnion(claim.life) }
        for name in HonestLife.names { #expect(seen.names.contains(name), "\(name)") }
    }

    /// What is rare, more often.
    private static let eventful: HonestParameters = {
        var parameters = HonestParameters()
        parameters.refunds = 30
        parameters.restoredBackups = 300
        parameters.silentInstalls = 5
        parameters.moves = 100
        (parameters.lateUpgrades, parameters.guestLogins, parameters.spreadsheetRows) = (50, 100, 100)
        (parameters.wrongIDDays, parameters.paddedDays) = (300..<600, 600..<900)
        (parameters.familyShared, parameters.sharingEnds) = (40, 80)
        return parameters
    }()

    /// A few Apple Accounts with couples, families and Macs among them, and two testers.
    private static var sample: (world: HonestWorld, lives: [HonestLives]) {
        get throws {
            let world = try HonestWorld(persons: 0..<120, seed: 9)
            return (world, world.accounts.map(world.lives(of:)) + (0..<2).map(world.life(ofTester:)))
        }
    }

    private static func claims(_ world: HonestWorld, _ account: Int) -> [String] {
        let lives = world.lives(of: account)
        return lives.claims.map {
            let made = lives.receipts[$0.receipt]
            return $0.line(
                receipt: made.token == nil ? Hex.string(made.content.hash.span) : Hex.string(made.signed.span))
        }
    }

    private static func lines(_ world: HonestWorld) throws -> [String] {
        world.accounts.flatMap { claims(world, $0) }
    }
}

struct `A claim of an honest person` {
    @Test func `is genuine, and matches its device unless the receipt is an old one`() throws {
        let world = try HonestWorld(persons: 0..<25, seed: 5)
        let trust = try TrustAnchors(files: [(name: "root.cer", bytes: world.root)])
        let checker = try Checker(trust: trust, expectations: Expectations(asOf: HonestWorld.end))
        var (count, old, tokens) = (0, 0, 0)
        for lives in world.accounts.map(world.lives(of:)) + [world.life(ofTester: 0)] {
            var containers: [Int: [UInt8]] = [:]
            for (number, made) in lives.claims.enumerated() where number % 3 == 0 {
                let receipt = lives.receipts[made.receipt]
                let container =
                    try containers[made.receipt]
                    ?? receipt.token.map { try world.tokenAuthority.token(octets: $0.octets).encoded }
                    ?? world.authority.receipt(receipt.content, digest: receipt.digest)
                containers[made.receipt] = container
                var claim = Claim(source: "claims.ndjson:1")
                claim.deviceID = ExactText(made.devices.map(\.text).joined(separator: "|"))
                claim.deviceVerificationID = ExactText(made.deviceVerificationID)
                claim.bundleID = ExactText(made.bundleID)
                let facts = checker.facts(of: claim, receipt: container.span)
                let isOld = !made.life.isDisjoint(
                    with: [.oldReceipt, .keptReceipt, .restoredBackup, .transferredApp, .wrongID])
                #expect(
                    facts.isGenuine && facts.failed.sorted.allSatisfy { $0 == .guidMismatch }, "\(facts.failed.sorted)")
                if !isOld { #expect(facts.verdict == .valid) }
                if made.life.contains(.oldReceipt) {
                    let isNamed = !(receipt.token == nil ? made.devices.isEmpty : made.deviceVerificationID.isEmpty)
                    #expect(!isNamed || facts.failed.contains(.guidMismatch))
                }
                count += 1
                if receipt.token != nil { tokens += 1 }
                if isOld { old += 1 }
            }
        }
        #expect(count > 80 && old > 0 && tokens > 20)
    }

    @Test func `with a token names the same Apple Account in all of an app's tokens, and the account of its row`()
        throws
    {
        var parameters = HonestParameters()
        parameters.familyShared = 40
        let world = try HonestWorld(persons: 0..<250, seed: 8, parameters: parameters)
        var (owners, shared) = (0, 0)
        for lives in world.accounts.map(world.lives(of:)) {
            var persons: [String: Set<String>] = [:]
            for claim in lives.claims {
                guard case .transaction(let token) = lives.receipts[claim.receipt].token else { continue }
                persons[claim.bundleID, default: []].insert(token.appTransactionID ?? "")
                #expect(claim.productID == token.productID && token.signedAt <= claim.presentedAt)
                if token.ownership == "FAMILY_SHARED" {
                    shared += 1
                    #expect(token.accountToken == nil && claim.life.contains(.familyShared))
                }
            }
            owners += persons.count
            #expect(persons.values.allSatisfy { $0.count == 1 && !$0.contains("") })
        }
        #expect(owners > 10 && shared > 0)
    }

    @Test func `is named by what it says`() {
        // The expected ids are those of Python's hashlib over the text that the contract prescribes.
        let phone = SampleDevice.vendorIdentifier(Array(0x10...0x1f))
        let claim = Self.claim(devices: [phone], account: "user-1")
        #expect(claim.id(content: [1, 2, 3]) == "a524ead3f6538e262f2da523")
        let macs = [
            SampleDevice.networkAddress([0xf0, 1, 2, 3, 4, 5]), .networkAddress([0x3c, 1, 2, 3, 4, 5]),
        ]
        #expect(
            Self.claim(devices: macs, account: "").id(content: [4])
                == "5ae0acd43abda1c01b0dccc4")
        #expect(
            Self.claim(devices: macs.reversed(), account: "").id(content: [])
                == Self.claim(devices: macs, account: "").id(content: []))
    }

    private static func claim(devices: [SampleDevice], account: String) -> HonestClaim {
        HonestClaim(
            person: "person-1", receipt: 0, devices: devices, accountID: account, bundleID: "com.example.notes",
            appVersion: "3.0", productID: "", presentedAt: .utc(2026, 1, 2), life: [])
    }
}
