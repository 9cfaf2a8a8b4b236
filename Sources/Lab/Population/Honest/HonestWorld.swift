public import Encodings

/// A simulated population of honest users over three years: every finding of an audit about them is a false alarm.
///
/// An Apple Account is a pure function of its number, the seed and the parameters. Memory is that of one Apple Account.
public struct HonestWorld: Sendable {
    /// The reference time, at which the three years end.
    public static let end = SampleExport.asOf
    /// The three years in seconds.
    static let seconds = 1096 * PurchaseHistory.day
    /// When the three years begin: 2023-06-30.
    public static let start = end.adding(seconds: -Int64(seconds))
    /// Returns the instant at which a day of the three years begins.
    static func day(_ number: Int) -> Instant { start.adding(seconds: Int64(number * PurchaseHistory.day)) }
    static func days(_ numbers: Range<Int>) -> Range<Instant> { day(numbers.lowerBound)..<day(numbers.upperBound) }
    /// The days before the three years that are simulated without claims, so that users do not all begin at once.
    static let leadInDays = 400
    static let leadIn = start.adding(seconds: -Int64(leadInDays * PurchaseHistory.day))

    /// The numbers of the people.
    public let persons: Range<Int>
    public let seed: UInt64
    public let parameters: HonestParameters
    public let authority: PrivateAuthority
    public let tokenAuthority: TokenAuthority
    private let layout: HonestLayout

    /// - Parameters:
    ///   - persons: the numbers of the people. An Apple Account belongs to the range if its first person does; its
    ///     people from the range's end on are left out.
    ///   - seed: the seed of all made-up data.
    public init(
        persons: Range<Int>, seed: UInt64, parameters: HonestParameters = HonestParameters()
    ) throws(SigningError) {
        self.persons = max(0, persons.lowerBound)..<max(0, persons.upperBound)
        self.seed = seed
        self.parameters = parameters
        layout = HonestLayout(parameters)
        authority = try PrivateAuthority()
        tokenAuthority = try TokenAuthority()
    }

    /// The trust anchors in PEM, that of receipts and that of tokens: the contents of `root.cer`.
    public var root: [UInt8] { SampleAuthorities.file(of: [authority.root, tokenAuthority.root]) }

    /// The Apple Accounts of the people.
    public var accounts: Range<Int> {
        let first = layout.firstAccount(from: persons.lowerBound)
        return first..<max(first, layout.firstAccount(from: persons.upperBound))
    }

    /// The numbers of the testers, who are extra.
    public var testers: Range<Int> {
        let each = max(1, parameters.personsPerTester)
        return (persons.lowerBound + each - 1) / each..<(persons.upperBound + each - 1) / each
    }

    /// The numbers of the circles, whose people are extra.
    public var circles: Range<Int> {
        let each = max(1, parameters.personsPerCircle)
        return (persons.lowerBound + each - 1) / each..<(persons.upperBound + each - 1) / each
    }

    /// The numbers of the customers who paid and present nothing, who are extra.
    public var customers: Range<Int> {
        let each = max(1, parameters.personsPerCustomer)
        return (persons.lowerBound + each - 1) / each..<(persons.upperBound + each - 1) / each
    }

    /// Returns what Apple tells of a customer who presents nothing.
    public func lives(ofCustomer number: Int) -> HonestLives { HonestLives(customer: number, seed: seed) }

    /// Returns the lives of the people of a circle.
    public func lives(ofCircle number: Int) -> HonestLives { HonestLives(circle: number, seed: seed) }

    /// Returns the lives of the people of one Apple Account.
    public func lives(of account: Int) -> HonestLives {
        let members = layout.persons(of: account).clamped(to: persons.lowerBound..<persons.upperBound)
        return HonestLives(account: account, persons: members, seed: seed, parameters)
    }

    /// Returns the life of a tester.
    public func life(ofTester number: Int) -> HonestLives {
        HonestLives(tester: number, seed: seed)
    }
}
