/// The people who share an Apple Account: the same pattern for every 100 accounts, so that the shares are exact and a
/// person's account is found without a table.
struct HonestLayout: Sendable {
    /// The number of people before each of 100 accounts; the last element is the end.
    private let starts: [Int]

    init(_ parameters: HonestParameters) {
        starts = (0..<Self.accountsOfBlock).reduce(into: [0]) { starts, account in
            // A factor coprime to 100 spreads the shared accounts.
            let place = (account * 37 + 63) % Self.accountsOfBlock
            let persons =
                switch place {
                case ..<parameters.couples: 2
                case ..<(parameters.couples + parameters.families): 4
                default: 1
                }
            starts.append(starts[account] + persons)
        }
    }

    /// Returns the people of an Apple Account.
    func persons(of account: Int) -> Range<Int> {
        let (block, place) = account.quotientAndRemainder(dividingBy: Self.accountsOfBlock)
        let first = block * personsOfBlock
        return first + starts[place]..<first + starts[place + 1]
    }

    /// Returns the first Apple Account with only this person and later ones.
    func firstAccount(from person: Int) -> Int {
        let (block, place) = person.quotientAndRemainder(dividingBy: personsOfBlock)
        return block * Self.accountsOfBlock + (starts.firstIndex { $0 >= place } ?? Self.accountsOfBlock)
    }

    private var personsOfBlock: Int { starts.last ?? Self.accountsOfBlock }
    private static let accountsOfBlock = 100
}
