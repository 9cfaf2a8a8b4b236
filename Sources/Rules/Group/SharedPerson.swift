import Encodings

/// Finds Apple Accounts whose tokens several of the company's own accounts present.
struct SharedPerson: GroupRule {
    static let documentation = RuleDocumentation(
        id: "shared-person",
        title: "One Apple Account is behind several accounts",
        severity: .medium,
        confidence: .possible,
        raisedWhen: """
            genuine StoreKit 2 tokens from one environment with one `appTransactionId` are presented by more than \
            \(maxAccounts.standard) `account_id`. Claims without an account do not count; dates do not matter
            """,
        why: """
            The `appTransactionId` is unique to an Apple Account and app (App Store Server API, \
            JWSAppTransactionDecodedPayload). It stays the same when purchases are refunded or the account moves to \
            another country. Several of your accounts with the same one belong to one customer, or use one buyer's \
            purchases.
            """,
        whenWrong: """
            A person with two of your accounts is normal and not raised; one who repeatedly deletes an account and \
            opens another has three eventually. A couple that shares an Apple Account looks the same, and so do test \
            departments and App Review. Family Sharing does not: each member has an `appTransactionId` of their own. \
            \(Seats.text). \(Seats.validityText). \(MarkRole.text). Confidence is possible, and doubtful in test \
            environments, or if there are at least as many seats as accounts.
            """,
        whatToDo: """
            Look at which accounts use the purchases at the same time. Bind the purchases to one account, and store \
            the `appTransactionId` with it: it also identifies customers who open new accounts for your free offers.
            """,
        limits: [maxAccounts])

    static let examples: [RuleExample] = [
        .raised("three accounts present a person's tokens", .medium, claims: claims(["ann", "bob", "cat"])),
        .raised(
            "three accounts present the token of who bought three seats", .medium,
            claims: claims(["ann", "bob", "cat"], seats: 3)),
        .clear("a person has two accounts", claims: claims(["ann", "ann-2"])),
        .clear("two accounts and a guest", claims: claims(["ann", "ann-2", ""])),
        .clear(
            "the members of a family have ids of their own",
            claims: claims(["ann", "bob"]) + claims(["cat", "dan"], of: "705")),
        .clear(
            "the third is of the sandbox", claims: claims(["ann", "bob"]) + claims(["cat"], environment: "Sandbox")),
    ]

    private static func claims(
        _ accounts: [ExactText], of person: ExactText = "704", environment: ExactText = "Production",
        seats: Int? = nil
    ) -> [ExampleClaim] {
        accounts.enumerated().map { number, account in
            ExampleClaim(
                device: "D\(number)", account: account,
                token: ExampleToken(
                    number, environment: environment, person: person,
                    ExamplePurchase(expires: "2026-04-01", quantity: seats)))
        }
    }

    static let keys = [KeyKind.person]
    static let countsAccounts = true
    private static let maxAccounts = RuleLimit(
        "accounts", standard: 2, in: 1...4000, "more than this many accounts present one person's tokens")

    private let maxAccounts: Int
    private var accounts = DistinctSketch<ExactText>()
    private var devices = DeviceCount()
    private var isProduction = false
    private var seats = Seats()

    init(_ policy: Policy) { maxAccounts = policy.value(of: Self.maxAccounts, in: Self.self) }

    func minTraits(under key: KeyKind) -> ClaimTrait.Minimum { .init(marked: maxAccounts + 1) }

    func mayRaise(_ observation: borrowing Observation) -> Bool { !observation.accountID.isEmpty }

    mutating func add(_ observation: Observation) {
        guard involves(observation) else { return }
        accounts.insert(observation.accountID)
        devices.add(observation)
        seats.add(observation)
        if observation.environmentClass == .production { isProduction = true }
    }

    mutating func hit() -> Hit? {
        guard accounts.isMore(than: maxAccounts) else { return nil }
        let hit = Hit(
            "\(accounts.accountsText); on \(devices.text)", confidence: isProduction ? nil : .doubtful)
        guard let cover = seats.cover({ claims, _ in Self.accounts(of: claims) }),
            Self.accounts(of: cover.excess) <= maxAccounts, cover.covers(accounts.count)
        else { return hit }
        return hit.eased(bySeats: cover.seats)
    }

    private static func accounts(of claims: [PresentedTransaction.Matched]) -> Int {
        Set(claims.map(\.claim.account)).count
    }

    func involves(_ observation: Observation) -> Bool { observation.isGenuine && !observation.accountID.isEmpty }
}
