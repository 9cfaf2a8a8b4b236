import Encodings

/// An app on one device of one person: the receipts it has over time, and when it presents them.
struct HonestInstall {
    let app: Int
    /// The index of the use in the Apple Account's list.
    let place: Int
    let device: HonestDevice
    let history: HonestHistory
    /// When the Apple Account got the app.
    let since: Instant
    /// The time from the installation to the last use.
    let time: Range<Instant>?
    let isSilent: Bool
    /// Whether receipts show earlier periods under separate ids.
    let isRenumbered: Bool
    let store: HonestStoreKit
    /// Whether the app does not send the device verification id.
    private let isUnverified: Bool
    /// The receipts that it had from a time on, in chronological order, by their indices.
    private(set) var had: [(since: Instant, receipt: Int)] = []
    /// The receipt of the backup that the device was set up from.
    private let oldReceipt: Int?
    private let resets: [HonestDevice.Reset]
    /// The id that the app gave to a guest on the previous device, and took over from its backup.
    private let inheritedGuest: String?
    private let parameters: HonestParameters
    /// Transaction ids that purchases have only here, by their first ids.
    private var ownIDs: [String: String] = [:]
    /// When purchases were restored here, by the same ids.
    private var restoredAt: [String: Instant] = [:]

    init(
        app: Int, use: Range<Instant>, place: Int, device: HonestDevice, history: HonestHistory, since: Instant,
        predecessor: HonestInstall?, isSilent: Bool, isRenumbered: Bool, _ store: HonestStoreKit,
        _ parameters: HonestParameters
    ) {
        self.app = app
        self.place = place
        self.device = device
        self.history = history
        self.since = since
        self.isSilent = isSilent
        self.isRenumbered = isRenumbered
        self.store = store
        var random = SeededGenerator(seed: device.seed ^ 0x7665_7269_6679, index: device.number * 8 + app)
        isUnverified = random.chance(percent: parameters.unverifiedInstalls)
        let start = max(use.lowerBound, device.use.lowerBound)
        let end = min(use.upperBound, device.use.upperBound)
        time = start < end ? start..<end : nil
        oldReceipt = device.oldReceiptUntil == nil ? nil : predecessor?.receipt(at: device.use.lowerBound)
        var resets = device.resets(vendor: SampleApp.catalogue[app].developerID & 7, parameters)
        let transfer = HonestWorld.day(parameters.transferDay)
        if app == HonestPerson.kingdoms, device.use.contains(transfer) {
            let until = transfer.adding(seconds: random.seconds(days: parameters.oldReceiptDays))
            let place = resets.firstIndex { $0.at > transfer } ?? resets.count
            resets.insert(HonestDevice.Reset(at: transfer, keptUntil: until, isTransfer: true), at: place)
        }
        self.resets = resets
        inheritedGuest = predecessor.map {
            $0.guest(at: $0.had.last { $0.since <= device.use.lowerBound }?.since ?? start)
        }
        self.parameters = parameters
    }

    /// Returns the id that the app makes up for a guest, which a reinstall changes and a backup keeps.
    private func guest(at instant: Instant) -> String {
        let reinstalls = resets.count { $0.at <= instant && !$0.isTransfer }
        if reinstalls == 0, let inheritedGuest { return inheritedGuest }
        var random = device.generator(vendor: 7, purpose: reinstalls)
        return "$RCAnonymousID:" + Hex.string(random.octets(16).span)
    }

    /// Returns the account that a claim names, as this install writes it.
    private func writtenAccount(of person: HonestPerson, at instant: Instant, resets: Int) -> String {
        let account = person.accountID(in: app, at: instant)
        if account.isEmpty { return app == HonestPerson.kingdoms ? guest(at: instant) : "" }
        if account.contains("@") {
            var random = device.generator(vendor: 6, purpose: resets)
            guard random.chance(percent: parameters.capitals) else { return account }
            return account.prefix(1).uppercased() + account.dropFirst()
        }
        guard person.number % 5 == 0 else { return account }
        // Each version has another way to write a UUID.
        switch Self.version(of: history.app, at: instant) % 3 {
        case 0: return account
        case 1: return account.uppercased()
        default: return account.filter { $0 != "-" }
        }
    }

    /// Returns the receipt that the app had at an instant.
    func receipt(at instant: Instant) -> Int? { had.last { $0.since <= instant }?.receipt }

    /// Presents receipts from the installation to the last use.
    mutating func run(for person: HonestPerson, of lives: inout HonestLives) {
        guard let time else { return }
        var made: (at: Instant, resets: Int, version: Int)?
        for visit in visits(in: time, &lives.random) {
            let done = resets.count { $0.at <= visit.at }
            let version = Self.version(of: history.app, at: visit.at)
            var life: HonestLife = []
            var receipt: Int?
            if !visit.isPurchase, made?.resets != done || made == nil {
                if done == 0, let until = device.oldReceiptUntil, visit.at < until, let oldReceipt {
                    receipt = oldReceipt
                    life = .oldReceipt
                } else if done > 0, let until = resets[done - 1].keptUntil, visit.at < until,
                    let kept = had.last?.receipt
                {
                    receipt = kept
                    life = resets[done - 1].isTransfer ? .transferredApp : .keptReceipt
                }
            }
            if receipt == nil, let restored = restoredReceipt(at: visit, made?.at) {
                receipt = restored
                life = .restoredBackup
            }
            if receipt == nil {
                if let last = made, last.resets == done, last.version == version, !visit.isPurchase,
                    store.usesTokens(at: last.at) == store.usesTokens(at: visit.at),
                    !isRefreshed(since: last.at, at: visit.at, &lives.random)
                {
                    receipt = had.last?.receipt
                } else {
                    receipt = makeReceipt(at: visit.at, resets: done, version: version, &lives)
                    made = (visit.at, done, version)
                }
            }
            guard let receipt, visit.at >= HonestWorld.start else { continue }
            if resets.prefix(done).contains(where: { !$0.isTransfer }) { life.insert(.reinstalled) }
            present(receipt, at: visit, resets: done, life: life, by: person, &lives)
        }
    }

    /// A use of the app in which it presents its receipt.
    struct Visit {
        let at: Instant
        /// What was bought just before, or is sent once more.
        var bought: HonestPurchase?
        var isAgain: Bool { bought?.sentAgainAt == at }
        var isPurchase: Bool { bought != nil && !isAgain }
    }

    /// Returns the first use, further ones every few weeks (more often while the device is new, or its successor is in
    /// use), and each purchase on this device.
    private func visits(in time: Range<Instant>, _ random: inout SeededGenerator) -> [Visit] {
        var visits: [Visit] = []
        var at = time.lowerBound.adding(seconds: Int64(random.within(10...3600)))
        while at < time.upperBound {
            visits.append(Visit(at: at))
            let isNew = device.predecessor != nil && at < (device.oldReceiptUntil ?? device.use.lowerBound)
            let isOld = device.replacedAt.map { at >= $0 } ?? false
            at = at.adding(seconds: random.seconds(days: isNew || isOld ? 3...15 : 20...70))
        }
        for purchase in history.purchases where purchase.use == place {
            let bought = purchase.isAtDevice ? purchase.content.purchasedAt : purchase.shownAt
            // The newest device is the one in use; among several Macs it is the first.
            guard time.contains(bought), device.replacedAt.map({ bought < $0 }) ?? true else { continue }
            guard !device.isMac || device.number & 31 < 16 else { continue }
            if purchase.isAtDevice { visits.append(Visit(at: bought.adding(seconds: 2), bought: purchase)) }
            if let again = purchase.sentAgainAt, time.contains(again) {
                visits.append(Visit(at: again, bought: purchase))
            }
        }
        return visits.sorted { $0.at < $1.at }
    }

    /// Whether the App Store has renewed the receipt since it was made: usually, if it would look different.
    private func isRefreshed(since date: Instant, at instant: Instant, _ random: inout SeededGenerator) -> Bool {
        let hasChanged = history.purchases.contains { $0.changed(between: date, and: instant) }
        return random.chance(percent: hasChanged ? 70 : 5)
    }

    /// Returns the receipt of a backup from two weeks before, until the app gets a new one: for a month at most.
    private func restoredReceipt(at visit: Visit, _ made: Instant?) -> Int? {
        guard let restored = device.restoredAt, !visit.isPurchase, visit.at >= restored, let made,
            visit.at < restored.adding(seconds: Int64(30 * PurchaseHistory.day)), made < restored
        else { return nil }
        return receipt(at: restored.adding(seconds: -Int64(14 * PurchaseHistory.day)))
    }
}

extension HonestInstall {
    /// Returns the app version that was current: one after the other since 2021.
    static func version(of app: SampleApp, at instant: Instant) -> Int {
        let since = Instant.utc(2021)
        let share = (instant.seconds - since.seconds) * Int64(app.versions.count)
        return max(0, min(app.versions.count - 1, Int(share / (HonestWorld.end.seconds - since.seconds))))
    }

    /// Makes the receipt that the App Store gives the device now.
    private mutating func makeReceipt(
        at instant: Instant, resets: Int, version: Int, _ lives: inout HonestLives
    ) -> Int {
        let app = history.app
        let bound = device.identifier(vendor: app.developerID & 7, resets: resets)
        var receipt = ReceiptContent(bundleID: app.bundleID, device: bound, createdAt: instant)
        receipt.opaqueValue = lives.random.octets(16)
        receipt.attribute6 = lives.random.octets(lives.random.within(40...106))
        receipt.attribute7 = lives.random.octets(lives.random.within(39...89))
        receipt.ageRating = app.ageRating
        receipt.attribute14 = app.isMac ? 1 : 200
        receipt.appVersion = app.versions[version]
        receipt.appItemID = app.itemID
        receipt.developerID = app.developerID
        receipt.downloadID = 64_000_000_000_000 + device.number
        receipt.versionExternalID = 820_000_000 + version
        receipt.originallyPurchasedAt = since
        receipt.originalAppVersion = app.versions[Self.version(of: app, at: since)]
        var life: HonestLife = []
        for purchase in history.purchases {
            guard let content = purchase.content(asOf: instant) else { continue }
            life.formUnion(purchase.life(asOf: instant))
            if content.purchasedAt > instant { life.insert(.earlyRenewal) }
            receipt.purchases.append(asShownHere(content, of: purchase, at: instant, &life, &lives))
        }
        let digest: SampleDigest = instant < .utc(2025, 1, 24) ? .sha1 : .sha256
        let verification = device.verificationID(vendor: app.developerID & 7, resets: resets)
        lives.receipts.append(
            HonestReceipt(
                content: receipt, digest: digest, life: life,
                boundDevice: store.usesTokens(at: instant) ? verification : nil))
        had.append((instant, lives.receipts.count - 1))
        return lives.receipts.count - 1
    }

    /// Returns a purchase as receipts of this install show it: a purchase from elsewhere may have another transaction
    /// id here.
    private mutating func asShownHere(
        _ content: PurchaseContent, of purchase: HonestPurchase, at instant: Instant, _ life: inout HonestLife,
        _ lives: inout HonestLives
    ) -> PurchaseContent {
        var shown = content
        switch content.kind {
        case .consumable: return shown
        case .autoRenewable:
            guard isRenumbered, let time, purchase.shownAt < time.lowerBound else { return shown }
            if ownIDs[content.transactionID] == nil { ownIDs[content.transactionID] = String(lives.numbers.next()) }
        case .nonConsumable, .nonRenewing:
            let isOwn = purchase.use == place && time.map { $0.contains(content.purchasedAt) } ?? false
            guard !isOwn else { return shown }
            life.insert(.restoredPurchase)
            if ownIDs[content.transactionID] == nil {
                // A refunded purchase can no longer be restored.
                let isNew =
                    lives.random.chance(percent: lives.parameters.renumberedRestores) && content.cancelledAt == nil
                ownIDs[content.transactionID] = isNew ? String(lives.numbers.next()) : content.transactionID
                restoredAt[content.transactionID] = instant
            }
            if ownIDs[content.transactionID] != content.transactionID, let date = restoredAt[content.transactionID] {
                shown.purchasedAt = date
            }
        }
        if let own = ownIDs[content.transactionID] { shown.transactionID = own }
        return shown
    }

    /// Adds the claim.
    private func present(
        _ receipt: Int, at visit: Visit, resets: Int, life: HonestLife, by person: HonestPerson,
        _ lives: inout HonestLives
    ) {
        let app = history.app
        let made = lives.receipts[receipt]
        var life = life.union(made.life)
        if lives.people.count > 1 { life.insert(.sharedAppleAccount) }
        if device.predecessor != nil, visit.at < device.use.lowerBound.adding(seconds: Int64(90 * PurchaseHistory.day))
        {
            life.insert(.newDevice)
        }
        if device.predecessor != nil || device.replacedAt != nil,
            person.devices(for: self.app).contains(where: {
                $0.replacedAt.map { visit.at >= $0 } ?? false && $0.use.contains(visit.at)
            })
        {
            life.insert(.bothInUse)
        }
        if device.isMac, person.macs.contains(where: { $0.predecessor == nil && $0.number != device.number }) {
            life.insert(.severalMacs)
        }
        if device.isMac, device.hasTwoInterfaces { life.insert(.twoInterfaces) }
        if isSilent { life.insert(.silentDevice) }
        let accountID = person.accountID(in: self.app, at: visit.at)
        let written = writtenAccount(of: person, at: visit.at, resets: resets)
        if accountID.isEmpty, HonestPerson.appsWithAccounts.contains(self.app) { life.insert(.guest) }
        if let reopened = person.reopened, accountID == reopened.login { life.insert(.reopenedAccount) }
        if !accountID.isEmpty, written != accountID { life.insert(.otherSpelling) }
        if visit.isAgain, visit.bought?.finishedAt != nil { life.insert(.guestPurchase) }
        let isRunning = self.app == HonestPerson.running
        let sendsOwnIDs = isRunning && HonestWorld.days(parameters.wrongIDDays).contains(visit.at)
        if sendsOwnIDs { life.insert(.wrongID) }
        if isRunning, made.boundDevice == nil, HonestWorld.days(parameters.paddedDays).contains(visit.at) {
            life.insert(.padded)
        }
        let presented = visit.at.adding(seconds: Int64(lives.random.within(1...120)))
        let product =
            visit.bought?.content.productID ?? Self.product(in: made.content, at: visit.at, &lives.random)
        var claim = HonestClaim(
            person: "person-\(person.number)", receipt: receipt,
            devices: isSilent
                ? [] : device.claimedIdentifiers(vendor: sendsOwnIDs ? 5 : app.developerID & 7, resets: resets),
            accountID: written, bundleID: app.bundleID,
            appVersion: app.versions[Self.version(of: app, at: visit.at)], productID: product,
            presentedAt: presented, life: life)
        if let bound = made.boundDevice {
            claim.receipt = lives.token(of: receipt, bound: bound, product: product, store, app: app) {
                HonestStoreKit.accountToken(of: person.accountID(in: self.app, at: $0))
            }
            claim.life.formUnion(lives.receipts[claim.receipt].life)
            claim.accountToken = HonestStoreKit.accountToken(of: accountID)
            let verification = device.verificationID(vendor: app.developerID & 7, resets: resets)
            if !isSilent, !isUnverified { claim.deviceVerificationID = verification.text }
        }
        var row = SeededGenerator(
            seed: device.seed ^ 0x726f_7773, index: Int(truncatingIfNeeded: presented.milliseconds))
        if row.chance(perThousand: parameters.spreadsheetRows) {
            claim.marks = row.chance(percent: 50) ? ("'", "") : ("=\"", "\"")
            claim.life.insert(.spreadsheet)
        }
        lives.claims.append(claim)
        guard lives.random.chance(perThousand: parameters.duplicateRows) else { return }
        var again = claim
        again.life.insert(.duplicateRow)
        lives.claims.append(again)
    }

    /// Returns the product that a refreshing app asks for: one that it would unlock, and rarely an expired one.
    private static func product(
        in receipt: ReceiptContent, at instant: Instant, _ random: inout SeededGenerator
    ) -> String {
        let owned = receipt.purchases.filter { purchase in
            switch purchase.kind {
            case .autoRenewable: purchase.cancelledAt == nil && (purchase.expiresAt.map { $0 > instant } ?? false)
            case .consumable: false
            case .nonConsumable, .nonRenewing: purchase.cancelledAt == nil
            }
        }
        if let last = owned.last { return last.productID }
        guard let last = receipt.purchases.last(where: { $0.kind != .consumable }), random.chance(percent: 20)
        else { return "" }
        return last.productID
    }
}
