import DER
public import Encodings
import FoundationEssentials

/// The events before an honest person presented a claim, to explain a false alarm.
public struct HonestLife: OptionSet, Sendable, Hashable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static let sharedAppleAccount = HonestLife(rawValue: 1 << 0)
    public static let newDevice = HonestLife(rawValue: 1 << 1)
    public static let oldReceipt = HonestLife(rawValue: 1 << 2)
    public static let bothInUse = HonestLife(rawValue: 1 << 3)
    public static let reinstalled = HonestLife(rawValue: 1 << 4)
    public static let keptReceipt = HonestLife(rawValue: 1 << 5)
    public static let restoredBackup = HonestLife(rawValue: 1 << 6)
    public static let severalMacs = HonestLife(rawValue: 1 << 7)
    public static let twoInterfaces = HonestLife(rawValue: 1 << 8)
    public static let guest = HonestLife(rawValue: 1 << 9)
    public static let reopenedAccount = HonestLife(rawValue: 1 << 10)
    public static let refund = HonestLife(rawValue: 1 << 11)
    public static let mistakenRefund = HonestLife(rawValue: 1 << 12)
    public static let reversedRefund = HonestLife(rawValue: 1 << 13)
    public static let upgrade = HonestLife(rawValue: 1 << 14)
    public static let restoredPurchase = HonestLife(rawValue: 1 << 15)
    public static let earlyRenewal = HonestLife(rawValue: 1 << 16)
    public static let silentDevice = HonestLife(rawValue: 1 << 17)
    public static let duplicateRow = HonestLife(rawValue: 1 << 18)
    public static let tester = HonestLife(rawValue: 1 << 19)
    public static let token = HonestLife(rawValue: 1 << 20)
    public static let offer = HonestLife(rawValue: 1 << 21)
    public static let movedCountry = HonestLife(rawValue: 1 << 22)
    public static let familyShared = HonestLife(rawValue: 1 << 23)
    public static let sharingEnded = HonestLife(rawValue: 1 << 24)
    public static let seatBuyer = HonestLife(rawValue: 1 << 25)
    public static let seat = HonestLife(rawValue: 1 << 26)
    public static let seatEnded = HonestLife(rawValue: 1 << 27)
    public static let moved = HonestLife(rawValue: 1 << 28)
    public static let commitment = HonestLife(rawValue: 1 << 29)
    public static let itemRefund = HonestLife(rawValue: 1 << 30)
    public static let unknownValue = HonestLife(rawValue: 1 << 31)
    public static let lateUpgrade = HonestLife(rawValue: 1 << 32)
    public static let guestPurchase = HonestLife(rawValue: 1 << 33)
    public static let otherSpelling = HonestLife(rawValue: 1 << 34)
    public static let spreadsheet = HonestLife(rawValue: 1 << 35)
    public static let transferredApp = HonestLife(rawValue: 1 << 36)
    public static let wrongID = HonestLife(rawValue: 1 << 37)
    public static let padded = HonestLife(rawValue: 1 << 38)

    /// The names in the truth file, in the order of the bits.
    public static let names = [
        "shared-apple-account", "new-device", "old-receipt", "both-in-use", "reinstalled", "kept-receipt",
        "restored-backup", "several-macs", "two-interfaces", "guest", "reopened-account", "refund", "mistaken-refund",
        "reversed-refund", "upgrade", "restored-purchase", "early-renewal", "silent-device", "duplicate-row", "tester",
        "token", "offer", "moved-country", "family-shared", "sharing-ended", "seat-buyer", "seat", "seat-ended",
        "moved-chain", "commitment", "item-refund", "unknown-value", "upgrade-before-renewal", "guest-purchase",
        "other-spelling", "spreadsheet", "transferred-app", "wrong-id", "padded-receipt",
    ]

    /// The names of its events.
    public var names: [String] {
        Self.names.enumerated().filter { rawValue & 1 << UInt64($0.offset) != 0 }.map(\.element)
    }
}

/// A receipt or token that honest claims present, before it is signed.
public struct HonestReceipt: Sendable {
    public let content: ReceiptContent
    public let digest: SampleDigest
    let life: HonestLife
    /// The device for tokens that the app got at the same time; `nil` if it uses receipts.
    var boundDevice: SampleDevice?
    /// The token that is presented instead of the receipt, if there is one.
    public var token: SampleToken?

    /// The content that the store signs.
    public var signed: [UInt8] { token?.octets ?? content.der }
}

/// One honest claim: who presents which receipt when.
public struct HonestClaim: Sendable {
    /// `person-17`, `circle-4-2` or `tester-3`.
    public let person: String
    /// The index of the receipt or token in its Apple Account's list.
    public internal(set) var receipt: Int
    /// The alternatives in the order of the cell; none if the app sends no id.
    public let devices: [SampleDevice]
    /// What a spreadsheet wrote before and after the account and the devices; nothing if the row was in none.
    var marks = (before: "", after: "")
    /// `AppStore.deviceVerificationID`; empty if the app does not send it.
    public var deviceVerificationID = ""
    public var accountID: String
    /// The UUID that the app gives to StoreKit for the account; empty for a guest, and with receipts.
    public var accountToken = ""
    public let bundleID: String
    public let appVersion: String
    /// The product that the app asks for; empty if it only refreshes.
    public let productID: String
    public let presentedAt: Instant
    public var life: HonestLife

    /// Returns the claim's `claim_id`.
    ///
    /// - Parameter content: the receipt's signed content.
    public func id(content: [UInt8]) -> String {
        ClaimIdentity(
            proof: content, devices: devices.map(\.text), deviceVerificationID: deviceVerificationID,
            accountID: accountID.isEmpty ? "" : marks.before + accountID + marks.after, accountToken: accountToken,
            bundleID: bundleID, appVersion: appVersion,
            productID: productID, presentedAt: presentedAt
        ).id
    }

    /// Returns the claim as a line of NDJSON, including its line feed.
    ///
    /// - Parameter receipt: the receipt in base64, or the token.
    func line(receipt: String) -> String {
        let device = devices.map(\.text).joined(separator: "|")
        var members = [("device_id", device), ("account_id", accountID)].map { name, text in
            (name, text.isEmpty ? "" : marks.before + text + marks.after)
        }
        members += [("device_verification_id", deviceVerificationID), ("account_token", accountToken)]
        members += [("bundle_id", bundleID), ("app_version", appVersion), ("product_id", productID)]
        members += [("presented_at", presentedAt.description), ("receipt_data", receipt)]
        // Only a spreadsheet's marks have a character that JSON escapes.
        let texts = members.filter { !$0.1.isEmpty }.map { ($0.0, $0.1.replacing("\"", with: "\\\"")) }
        return "{" + texts.map { "\"\($0.0)\":\"\($0.1)\"" }.joined(separator: ",") + "}\n"
    }

    /// Returns the claim's line of the truth file, including its line feed.
    ///
    /// - Parameter content: the receipt's signed content.
    func truth(content: [UInt8]) -> String {
        let life = life.names.map { "\"\($0)\"" }.joined(separator: ",")
        return "{\"claim_id\":\"\(id(content: content))\",\"person\":\"\(person)\",\"life\":[\(life)]}\n"
    }
}
