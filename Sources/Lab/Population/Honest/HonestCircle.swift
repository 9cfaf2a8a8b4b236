import Encodings

/// People whose purchases depend on one another, as sold by the App Store since autumn 2026: a company with seats, a
/// group whose buyer's app distributes seats, a family whose buyer was refunded, and people who move between bundles,
/// commit to a year, get some items refunded, or are children.
///
/// A circle is a pure function of its number and the seed. All of its people use tokens, in the last eighteen months of
/// the world.
struct HonestCircle {
    /// The story of a circle, selected by its number.
    enum Story: Int, CaseIterable {
        case company
        case group
        case family
        case bundles
        case commitment
        case child
    }

    /// One of the people, with an Apple Account, a phone and an account with the company.
    struct Member {
        let name: String
        let owner: TokenOwner
        let device: SampleDevice
        /// Returns the id of one Apple Account in an app.
        func appTransactionID(in app: SampleApp) -> String { "\(owner.appTransactionID)\(app.itemID % 10)" }
    }

    /// A notification from Apple to the company's server about a purchase.
    struct Notice: Sendable {
        let type: String
        let subtype: String?
        let bundleID: String
        let transaction: TransactionContent?
        /// The app transaction of RESCIND_CONSENT.
        let appTransaction: AppTransactionContent?
        let signedAt: Instant
        let uuid: String
        /// Of CONSUMPTION_REQUEST.
        var consumptionRequestReason: String?
    }

    let story: Story
    let members: [Member]
    var random: SeededGenerator
    var numbers: HonestNumbers
    private(set) var receipts: [HonestReceipt] = []
    private(set) var claims: [HonestClaim] = []
    private(set) var notices: [Notice] = []
    /// The indices of tokens by payload.
    private var places: [[UInt8]: Int] = [:]

    /// When its story begins.
    let start: Instant
    static let month = Int64(30 * PurchaseHistory.day)

    init(_ number: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x6369_7263_6c65, index: number)
        story = Story(rawValue: number % Story.allCases.count) ?? .company
        let size =
            switch story {
            case .company: random.within(3...12)
            case .group: random.within(3...10)
            case .family: random.within(2...5)
            case .bundles, .commitment, .child: 1
            }
        members = (0..<size).map { place in
            let own = number * 16 + place
            return Member(
                name: "circle-\(number)-\(place)", owner: TokenOwner(1_000_000_000 + own, seed: seed),
                device: ClaimDraft.device(isMac: false, index: own, seed: seed ^ 0x7068_6f6e_6573, &random))
        }
        start = HonestWorld.end.adding(seconds: -18 * Self.month + Int64(random.below(60 * PurchaseHistory.day)))
        numbers = HonestNumbers(circle: number)
        self.random = random
        followStory()
        claims.removeAll { $0.presentedAt > HonestWorld.end }
        notices.removeAll { $0.signedAt > HonestWorld.end }
    }

    private mutating func followStory() {
        switch story {
        case .company: employSeats()
        case .group: handOutSeats()
        case .family: refundBuyer()
        case .bundles: switchBundles()
        case .commitment: commit()
        case .child: growUp()
        }
    }

    /// Returns an app with a subscription, for an index in the story.
    func app(_ place: Int) -> SampleApp { SampleApp.catalogue[place % SampleApp.catalogue.count] }

    /// Returns a purchase of a member, which is its own original.
    ///
    /// - Parameter days: the length of the period; `nil` for a purchase that does not expire.
    mutating func purchase(
        _ product: SampleApp.Product, of app: SampleApp, by member: Member, at date: Instant, days: Int? = nil
    ) -> TransactionContent {
        TransactionContent(
            product.kind, bundleID: app.bundleID, productID: product.id, transactionID: String(numbers.next()),
            purchasedAt: date
        ).with {
            if let days {
                $0.expiresAt = date.adding(seconds: Int64(days * PurchaseHistory.day))
                $0.webOrderLineItemID = String(numbers.next())
                $0.subscriptionGroupID = app.subscriptionGroupID
            }
            $0.accountToken = member.owner.accountToken
            $0.appTransactionID = member.appTransactionID(in: app)
            $0.sell(in: member.owner.storefront, product)
        }
    }

    /// Returns the next period of a subscription; the first one is its original.
    ///
    /// - Parameter original: the original transaction of the chain; `nil` before the first period.
    mutating func nextPeriod(
        _ product: SampleApp.Product, of app: SampleApp, by member: Member, at date: Instant, days: Int = 30,
        of original: inout String?, since began: Instant
    ) -> TransactionContent {
        purchase(product, of: app, by: member, at: date, days: days).with {
            $0.originalTransactionID = original ?? $0.transactionID
            $0.originallyPurchasedAt = began
            original = $0.originalTransactionID
        }
    }

    /// Presents a token of a member, signed by the App Store for the member's phone.
    ///
    /// - Parameter isBound: whether the token is bound to the phone. A token that the company's server distributes is
    ///   not.
    mutating func present(
        _ content: TransactionContent, by member: Member, at date: Instant, asks: Bool = true, isBound: Bool = true,
        life: HonestLife
    ) {
        var content = content
        if isBound {
            var nonce = SeededGenerator(
                seed: UInt64(bitPattern: content.signedAt.milliseconds), index: Int(content.transactionID) ?? 0)
            content.deviceVerification = member.owner.verification(&nonce)
        }
        let token = SampleToken.transaction(content)
        let payload = token.octets
        let place = places[payload] ?? receipts.count
        if place == receipts.count {
            places[payload] = place
            let unused = ReceiptContent(bundleID: content.bundleID, device: member.device, createdAt: content.signedAt)
            receipts.append(HonestReceipt(content: unused, digest: .sha256, life: life, token: token))
        }
        let app = SampleApp.catalogue.first { $0.bundleID == content.bundleID }
        var claim = HonestClaim(
            person: member.name, receipt: place, devices: [member.device], accountID: member.name,
            bundleID: content.bundleID, appVersion: app?.versions.last ?? "", productID: asks ? content.productID : "",
            presentedAt: max(date, content.signedAt).adding(seconds: Int64(random.within(1...120))),
            life: life.union(.token))
        claim.accountToken = member.owner.accountToken
        if isBound { claim.deviceVerificationID = member.owner.device.text }
        claims.append(claim)
    }

    /// Sends a notification to the company's server.
    mutating func notify(
        _ type: String, _ subtype: String? = nil, of content: TransactionContent,
        _ appTransaction: AppTransactionContent? = nil, at date: Instant
    ) {
        let transaction = appTransaction == nil ? content.with { $0.signedAt = date } : nil
        notices.append(
            Notice(
                type: type, subtype: subtype, bundleID: content.bundleID, transaction: transaction,
                appTransaction: appTransaction, signedAt: date, uuid: TokenOwner.uuid(&random)))
    }

    /// Has Apple ask the company's server about a refund.
    mutating func request(refundOf content: TransactionContent, at date: Instant) {
        notices.append(.request(of: content, for: "UNINTENDED_PURCHASE", at: date))
    }
}

extension HonestLives {
    init(circle number: Int, seed: UInt64) {
        let circle = HonestCircle(number, seed: seed)
        self.init(random: circle.random, numbers: circle.numbers)
        receipts = circle.receipts
        claims = circle.claims
        notices = circle.notices
    }
}

extension HonestCircle.Notice {
    /// Returns the notification, with its contents signed.
    func notification(by authority: TokenAuthority) throws(SigningError) -> NotificationContent {
        if let appTransaction {
            var data = NotificationAppData(bundleID: bundleID)
            data.signedAppTransaction = try authority.token(appTransaction).text
            return NotificationContent(type, subtype: subtype, uuid: uuid, body: .appData(data), signedAt: signedAt)
        }
        var data = NotificationData(bundleID: bundleID)
        if let transaction { data.signedTransaction = try authority.token(transaction).text }
        data.consumptionRequestReason = consumptionRequestReason
        return NotificationContent(type, subtype: subtype, uuid: uuid, body: .data(data), signedAt: signedAt)
    }
}
