import Encodings

/// A person with devices, an account with the company, and some of its apps.
struct HonestPerson: Sendable {
    /// The use of one app, from its installation to its removal.
    struct Use: Sendable {
        let app: Int
        let time: Range<Instant>
    }

    /// The person's number in the population.
    let number: Int
    /// The phones in the order in which they were set up, and the Macs.
    let phones, macs: [HonestDevice]
    /// The account with the company, and the one that was opened after it was closed.
    let login: String
    let reopened: (login: String, at: Instant)?
    /// When the person first logged in; `nil` for somebody who is always a guest.
    var loggedInAt: Instant?
    let uses: [Use]

    /// Makes up a member of an Apple Account; a later member often has the same apps as the first.
    init(
        number: Int, account: Int, member: Int, first: HonestPerson?, seed: UInt64, _ parameters: HonestParameters,
        _ random: inout SeededGenerator
    ) {
        self.number = number
        let device = (account * 4 + member) * 32
        phones = HonestDevice.succession(
            isMac: false, number: device, place: 0, seed: seed, parameters, &random)
        let draw = random.below(100)
        let wanted = draw < 65 ? 1 : draw < 92 ? 2 : 3
        var uses: [Use] = []
        while uses.count < wanted {
            var app = Self.weighted[random.below(Self.weighted.count)]
            if let first, random.chance(percent: 60) { app = first.uses[random.below(first.uses.count)].app }
            let time = Self.time(&random)
            if uses.contains(where: { $0.app == app }) { break }
            uses.append(Use(app: app, time: time))
        }
        self.uses = uses
        var macs: [HonestDevice] = []
        if uses.contains(where: { SampleApp.catalogue[$0.app].isMac }) {
            let chance = random.below(100)
            let count = chance < parameters.threeMacs ? 3 : chance < parameters.threeMacs + parameters.twoMacs ? 2 : 1
            for turn in 0..<count {
                macs += HonestDevice.succession(
                    isMac: true, number: device + 8 + 8 * turn, place: macs.count, seed: seed, parameters, &random)
            }
        }
        self.macs = macs
        let beginning = uses.map(\.time.lowerBound).min() ?? HonestWorld.start
        let own = Self.account("user-\(number)", of: number)
        login = first.map { random.chance(percent: parameters.sharedLogins) ? $0.login : own } ?? own
        let isReopened = random.chance(percent: parameters.reopenedAccounts)
        let reopenedAt = HonestWorld.start.adding(seconds: Int64(random.below(HonestWorld.seconds)))
        reopened = isReopened ? (Self.account("user-\(number)-b", of: number), reopenedAt) : nil
        let kind = random.below(100)
        let guestUntil = beginning.adding(seconds: random.seconds(days: parameters.guestDays))
        switch kind {
        case ..<parameters.strangers: loggedInAt = nil
        case ..<(parameters.strangers + parameters.guests): loggedInAt = guestUntil
        default: loggedInAt = beginning
        }
    }

    /// Returns the name of an account: a UUID for every fifth person, and an e-mail address for the next one.
    private static func account(_ name: String, of number: Int) -> String {
        switch number % 5 {
        case 0: HonestStoreKit.accountToken(of: name)
        case 1: name + "@example.com"
        default: name
        }
    }

    /// Returns the account that a person is logged in to; empty for a guest and in an app without accounts.
    func accountID(in app: Int, at instant: Instant) -> String {
        guard Self.appsWithAccounts.contains(app), let loggedInAt, instant >= loggedInAt else { return "" }
        if let reopened, instant >= reopened.at { return reopened.login }
        return login
    }

    /// Returns the devices on which an app runs.
    func devices(for app: Int) -> [HonestDevice] { SampleApp.catalogue[app].isMac ? macs : phones }

    /// Returns at least a month, and enough of it within the three years that the person makes a claim.
    private static func time(_ random: inout SeededGenerator) -> Range<Instant> {
        let day = PurchaseHistory.day
        let start = HonestWorld.leadIn.adding(
            seconds: Int64(random.below(HonestWorld.seconds + (HonestWorld.leadInDays - 30) * day)))
        // Some abandon an app soon, and some never.
        let length = random.chance(percent: 30) ? random.within(30...200) : random.within(200...2000)
        let end = start.adding(seconds: Int64(length * day))
        let least = HonestWorld.start.adding(seconds: Int64(80 * day))
        return start..<min(max(end, least), HonestWorld.end)
    }

    /// Apps by how often they are used: half of the uses are of apps with accounts.
    private static let weighted = [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4]
    /// `kingdoms`, `running` and `ledger`: the apps with accounts.
    static let appsWithAccounts: Set = [kingdoms, running, 4]
    static let kingdoms = 1
    static let running = 2
}
