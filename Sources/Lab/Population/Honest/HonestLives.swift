import Encodings

/// The lives of the people who share an Apple Account: the receipts they get, and the claims they make.
public struct HonestLives: Sendable {
    /// The receipts, to which claims refer by index.
    public internal(set) var receipts: [HonestReceipt] = []
    /// The claims, by person, app and device, and then in chronological order.
    public internal(set) var claims: [HonestClaim] = []
    /// What Apple tells the company's server; only of a circle or a customer.
    var notices: [HonestCircle.Notice] = []
    /// The purchases that nobody presents; only of a customer.
    var purchasesOfCustomers: [SupportCase] = []
    /// The persons of an Apple Account; none for a tester, a circle or a customer.
    private(set) var people: [HonestPerson]
    let parameters: HonestParameters
    var numbers: HonestNumbers
    var random: SeededGenerator
    /// The indices of tokens by the receipt and the transaction.
    var tokens: [String: Int] = [:]
    private let account: Int
    private let seed: UInt64
    /// The purchases of the Apple Account by app, and when it first got the app.
    private var apps: [Int: (history: HonestHistory, since: Instant)] = [:]

    init(account: Int, persons: Range<Int>, seed: UInt64, _ parameters: HonestParameters) {
        var random = SeededGenerator(seed: seed ^ 0x686f_6e65_7374, index: account)
        var numbers = HonestNumbers(account: account)
        var people: [HonestPerson] = []
        for (member, number) in persons.enumerated() {
            people.append(
                HonestPerson(
                    number: number, account: account, member: member, first: people.first, seed: seed, parameters,
                    &random))
        }
        self.people = people
        self.parameters = parameters
        self.account = account
        self.seed = seed
        for app in SampleApp.catalogue.indices {
            let uses = Self.uses(of: people).enumerated().filter { $0.element.use.app == app }
                .map { (place: $0.offset, time: $0.element.use.time) }
            guard let since = uses.map(\.time.lowerBound).min() else { continue }
            var history = HonestHistory(
                app: SampleApp.catalogue[app], uses: uses, parameters, &numbers, &random)
            for (place, (person, _)) in Self.uses(of: people).enumerated()
            where HonestPerson.appsWithAccounts.contains(app) {
                guard let at = history.logIn(place, before: person.loggedInAt) else { continue }
                self.people[person.number - persons.lowerBound].loggedInAt = at
            }
            apps[app] = (history, since)
        }
        self.numbers = numbers
        self.random = random
        for (place, (person, use)) in Self.uses(of: self.people).enumerated() { present(person, use, at: place) }
    }

    /// Makes lives that are empty, for those of a tester, a circle or a customer.
    init(random: SeededGenerator, numbers: HonestNumbers) {
        people = []
        account = 0
        seed = 0
        parameters = HonestParameters()
        self.random = random
        self.numbers = numbers
    }

    /// Returns the uses of apps by all people. Histories refer to them by index.
    private static func uses(of people: [HonestPerson]) -> [(person: HonestPerson, use: HonestPerson.Use)] {
        people.flatMap { person in person.uses.map { (person, $0) } }
    }

    /// Presents one person's use of one app, device by device: a new device may begin with the receipts of the old one.
    private mutating func present(_ person: HonestPerson, _ use: HonestPerson.Use, at place: Int) {
        guard let (history, since) = apps[use.app] else { return }
        let store = HonestStoreKit(
            account: account, app: use.app, isShared: people.count > 1, seed: seed, parameters)
        var installs: [HonestInstall] = []
        for device in person.devices(for: use.app) {
            var install = HonestInstall(
                app: use.app, use: use.time, place: place, device: device, history: history, since: since,
                predecessor: device.predecessor.map { installs[$0] },
                isSilent: random.chance(percent: parameters.silentInstalls),
                isRenumbered: random.chance(percent: parameters.renumberedInstalls), store, parameters)
            install.run(for: person, of: &self)
            installs.append(install)
        }
    }
}
