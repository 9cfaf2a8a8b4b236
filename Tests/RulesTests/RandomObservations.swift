import Checks
import Encodings
import Inputs
import Receipts
import Rules

/// Observations from a seed: few devices, accounts and dates, so that they recur, and occasionally extreme values.
struct RandomObservations {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// SplitMix64.
    mutating func next(below bound: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        return Int(stableMix(state) % UInt64(bound))
    }

    mutating func isOneIn(_ number: Int) -> Bool { next(below: number) == 0 }

    mutating func one<T>(of values: [T], _ otherwise: T) -> T {
        values.isEmpty ? otherwise : values[next(below: values.count)]
    }

    mutating func shuffle<T>(_ values: inout [T]) {
        for index in values.indices.dropFirst() { values.swapAt(index, next(below: index + 1)) }
    }

    /// A group under one key. `variety` is about how many devices, accounts and purchases there are.
    mutating func group(_ kind: KeyKind, count: Int, variety: Int) -> [Observation] {
        let isConsumable = isOneIn(2)
        let isQuiet = isOneIn(3)
        return (0..<count).map { number in
            var observation = Observation(
                claim: ClaimNumber(rawValue: UInt64(number)), source: "claims.csv:\(number + 2)")
            let isLent = kind == .app || kind == .person
            let isWithoutDevices = kind == .receipt && isQuiet
            observation.device =
                isOneIn(8) || isWithoutDevices ? nil : device(next(below: isLent ? 3 * variety : variety))
            observation.id = ClaimID(high: stableMix(UInt64(number) + 1), low: 0)
            observation.deviceHash = one(
                of: isQuiet ? [.mismatch] : [.match, .match, .mismatch, .notChecked], .mismatch)
            observation.askedProduct = one(of: ["gold", "silver", ""], "")
            observation.malformedDevice = observation.device == nil && isOneIn(2) ? account(next(below: variety)) : ""
            observation.accountID = isOneIn(3) ? "" : account(next(below: variety))
            observation.presentedAt = isOneIn(6) ? nil : date(variety)
            observation.isGenuine =
                (kind != .receipt || isOneIn(2))
                && (kind != .device && kind != .account || !isOneIn(5))
            guard observation.isGenuine else { return observation }
            observation.bundleID = "com.example.app-\(next(below: isOneIn(4) ? 80 : 2))"
            observation.createdAt = date(variety)
            switch kind {
            case .receipt, .app, .accountToken: break
            case .transaction: observation.purchases = [purchase("T", isConsumable: isConsumable, isQuiet, variety)]
            case .nonce:
                (observation.kind, observation.isBound) = (.transaction, !isOneIn(8))
                observation.tokenDigest = [UInt8](repeating: UInt8(truncatingIfNeeded: next(below: variety)), count: 32)
                observation.purchases = [purchase("T", isConsumable: false, isQuiet, variety)]
            case .person:
                (observation.kind, observation.appTransactionID) = (.transaction, "704")
                observation.purchases = [tokenPurchase(variety)]
            case .originalTransaction:
                observation.purchases = [purchase("O", isConsumable: false, isQuiet, variety)]
                guard isOneIn(2) else { break }
                (observation.kind, observation.appTransactionID) = (.transaction, "person-\(next(below: 3 * variety))")
                observation.purchases = [tokenPurchase(variety)]
                observation.accountToken = "uuid-\(next(below: variety))"
                if isOneIn(4) { observation.claimedAccountToken = "uuid-\(next(below: 2 * variety))" }
            case .device, .account:
                let isBurst = kind == .account && isOneIn(6)
                guard isBurst || !isOneIn(4) else {
                    observation.kind = .transaction
                    observation.appTransactionID = isOneIn(2) ? "" : "person-\(next(below: variety))"
                    observation.purchases = [tokenPurchase(variety)]
                    break
                }
                observation.purchases = (0..<next(below: isBurst ? 16 : 4)).map { _ in
                    purchase("\(next(below: isBurst ? 60 : variety))", isConsumable: false, false, variety)
                }
            }
            return observation
        }
    }

    private mutating func purchase(_ id: ExactText, isConsumable: Bool, _ isQuiet: Bool, _ variety: Int) -> Purchase {
        let product = isQuiet ? "gold" : one(of: ["gold", "silver", "caf\u{e9}", "cafe\u{301}", Self.huge], "gold")
        var purchase = Purchase(
            productID: product, transactionID: id, purchaseDate: isQuiet ? Instant(seconds: 0) : date(variety))
        purchase.originalTransactionID = isQuiet ? "O" : one(of: ["O", "P", "Q", Self.huge, nil], nil)
        purchase.kind = isConsumable && !isOneIn(5) ? .consumable : .autoRenewable
        purchase.cancellationDate = isOneIn(3) ? date(variety) : nil
        purchase.isTrialPeriod = isOneIn(3)
        purchase.isInIntroOfferPeriod = isOneIn(4)
        purchase.webOrderLineItemID = isOneIn(2) ? next(below: variety) : nil
        return purchase
    }

    private mutating func tokenPurchase(_ variety: Int) -> Purchase {
        var purchase = purchase("\(next(below: 2 * variety))", isConsumable: false, false, variety)
        var details = TransactionDetails()
        details.storefront = one(of: ["ARG", "DEU", "IND", "TUR", nil], nil)
        let number = Int(purchase.transactionID.stableHash % 5)
        details.ownership = isOneIn(4) ? ["FAMILY_SHARED", "ASSIGNED", "LOANED"][number % 3] : "PURCHASED"
        details.additionalReason = [nil, nil, nil, "SEAT_ADDITION", "GIFT"][number]
        details.revocationType = isOneIn(3) ? "FAMILY_REVOKE" : nil
        details.previousOriginalTransactionID = one(of: ["O", "P", nil], nil)
        details.offerType = one(of: [1, 2, nil], nil)
        purchase.details = details
        return purchase
    }

    private mutating func date(_ variety: Int) -> Instant {
        switch next(below: 40) {
        case 0: Instant(milliseconds: .min)
        case 1: Instant(milliseconds: .max)
        default:
            Instant(milliseconds: 1_770_000_000_000 + Int64(next(below: 2 * variety)) * (isOneIn(2) ? 500 : 86_400_000))
        }
    }

    private func account(_ number: Int) -> ExactText {
        switch number {
        case 0: "caf\u{e9}"
        case 1: "cafe\u{301}"
        default: "user-\(number)"
        }
    }

    private static let huge = ExactText(String(repeating: "=cmd|' /C calc'!A0\n", count: 30))
}

/// A group whose observations are in memory.
struct ArrayGroup: ObservationGroup {
    let key: GroupKey
    let observations: [Observation]
    var count: Int { observations.count }

    init(_ key: GroupKey, _ observations: [Observation]) {
        self.key = key
        self.observations = observations
    }

    func forEach(_ body: (Observation) throws -> Void) throws { try observations.forEach(body) }
}

/// A device for a number.
func device(_ number: Int) -> Device? {
    var octets = [UInt8](repeating: 0x40, count: 16)
    for index in 0..<4 { octets[15 - index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
    let span = octets.span
    return Device(octets: span)
}

/// The same, where a parameter has its name.
func deviceNumbered(_ number: Int) -> Device? { device(number) }
