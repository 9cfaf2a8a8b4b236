import Encodings

/// A phone or a Mac of a person, from the day it was set up to the day of its last use.
struct HonestDevice: Sendable {
    /// What changes `identifierForVendor`: a reinstall of all of a vendor's apps, or an app's transfer to another team.
    struct Reset: Sendable {
        let at: Instant
        /// The time until which the app sends the receipt that it had kept; `nil` if it did not keep one.
        let keptUntil: Instant?
        var isTransfer = false
    }

    let isMac: Bool
    /// A number that no other device of the population has.
    let number: Int
    let seed: UInt64
    let use: Range<Instant>
    /// The index, in the person's list, of the device whose backup this one was set up from.
    let predecessor: Int?
    /// The time until which apps send the predecessor's receipts; `nil` if they do not.
    let oldReceiptUntil: Instant?
    /// When the next device was set up.
    var replacedAt: Instant?
    /// When a backup of this device was restored on it.
    let restoredAt: Instant?
    /// Reinstalls per 1,000 devices and year.
    let reinstalls: Int
    let hasTwoInterfaces: Bool
    /// Whether the second interface comes first in the claims' cell, and whether receipts are bound to it.
    let writesSecondFirst, isBoundToSecond: Bool

    /// Returns the id to which a receipt is bound after some reinstalls.
    func identifier(vendor: Int, resets: Int) -> SampleDevice {
        guard !isMac else { return address(hasTwoInterfaces && isBoundToSecond ? 1 : 0) }
        var random = generator(vendor: vendor, purpose: 1 + resets)
        return .vendorIdentifier(random.uuid())
    }

    /// Returns `AppStore.deviceVerificationID` in a vendor's apps after some resets, which are assumed to change it.
    func verificationID(vendor: Int, resets: Int) -> SampleDevice {
        var random = generator(vendor: vendor, purpose: 128 + resets)
        return .vendorIdentifier(random.uuid())
    }

    /// Returns the ids that a claim names, in the order of its cell.
    func claimedIdentifiers(vendor: Int, resets: Int) -> [SampleDevice] {
        guard isMac, hasTwoInterfaces else { return [identifier(vendor: vendor, resets: resets)] }
        return writesSecondFirst ? [address(1), address(0)] : [address(0), address(1)]
    }

    /// Returns the reinstalls of one vendor's apps, in order.
    func resets(vendor: Int, _ parameters: HonestParameters) -> [Reset] {
        guard !isMac else { return [] }
        var random = generator(vendor: vendor, purpose: 0)
        var resets: [Reset] = []
        var month = use.lowerBound
        let length = Int64(30 * PurchaseHistory.day)
        while month < use.upperBound {
            if random.below(365_000) < reinstalls * 30 {
                let at = month.adding(seconds: Int64(random.below(Int(length))))
                let keptUntil =
                    random.chance(percent: parameters.keptReceipts)
                    ? at.adding(seconds: random.seconds(days: parameters.oldReceiptDays)) : nil
                if at < use.upperBound { resets.append(Reset(at: at, keptUntil: keptUntil)) }
            }
            month = month.adding(seconds: length)
        }
        return resets
    }

    func generator(vendor: Int, purpose: Int) -> SeededGenerator {
        SeededGenerator(seed: seed ^ 0x6465_7669_6365, index: (number * 8 + vendor) * 256 + purpose)
    }

    /// Returns one of a Mac's two addresses. An odd factor permutes the 24 bits, so that addresses repeat only after 67
    /// million devices; no other sample has these vendors' parts.
    private func address(_ interface: Int) -> SampleDevice {
        let (high, low) = (number * 2 + interface).quotientAndRemainder(dividingBy: 1 << 24)
        let permuted = low &* 0x9e_3779 & 0xff_ffff
        return .networkAddress(
            [0x3c, 0x22, 0xb0 + UInt8(truncatingIfNeeded: high & 7)]
                + (0..<3).map { UInt8(truncatingIfNeeded: permuted >> (16 - 8 * $0)) })
    }
}

extension HonestDevice {
    /// Makes up a device and its successors, each set up from a backup of the previous one, to the end.
    ///
    /// - Parameters:
    ///   - number: the number of the first one; the others have the next numbers.
    ///   - place: the index of the first one in the person's list.
    static func succession(
        isMac: Bool, number: Int, place: Int, seed: UInt64, _ parameters: HonestParameters,
        _ random: inout SeededGenerator
    ) -> [HonestDevice] {
        let lifetime = isMac ? parameters.macDays : parameters.phoneDays
        let first = random.seconds(days: lifetime)
        // The age of the first one is as if it had been observed on a random day.
        var start = HonestWorld.leadIn.adding(seconds: -Int64(random.below(Int(first))))
        var end = start.adding(seconds: first)
        var devices: [HonestDevice] = []
        while start < HonestWorld.end, devices.count < 5 {
            let isSecond = !devices.isEmpty
            let sendsOld = isSecond && random.chance(percent: parameters.oldReceipts)
            let lastDay =
                random.chance(percent: parameters.bothInUse)
                ? random.seconds(days: parameters.bothInUseDays) : Int64(random.below(PurchaseHistory.day))
            let years = Int((end.seconds - start.seconds) / Int64(365 * PurchaseHistory.day)) + 1
            let isRestored = random.chance(perThousand: parameters.restoredBackups * years)
            let restoredAt = start.adding(seconds: Int64(random.below(Int(end.seconds - start.seconds))))
            devices.append(
                HonestDevice(
                    isMac: isMac, number: number + devices.count, seed: seed,
                    use: start..<end.adding(seconds: lastDay),
                    predecessor: isSecond ? place + devices.count - 1 : nil,
                    oldReceiptUntil: sendsOld
                        ? start.adding(seconds: random.seconds(days: parameters.oldReceiptDays)) : nil,
                    replacedAt: end < HonestWorld.end ? end : nil,
                    restoredAt: isRestored ? restoredAt : nil, reinstalls: random.within(parameters.reinstalls),
                    hasTwoInterfaces: isMac && random.chance(percent: parameters.twoInterfaces),
                    writesSecondFirst: random.chance(percent: 50), isBoundToSecond: random.chance(percent: 30)))
            start = end
            end = start.adding(seconds: random.seconds(days: lifetime))
        }
        return devices
    }
}
