/// The shares and durations of a simulated population of honest users; docs/honest-world.md says what is simulated.
///
/// Shares are in percent and durations in days, unless documented otherwise.
public struct HonestParameters: Sendable, Codable, Equatable {
    /// Of 100 Apple Accounts, the number shared by a couple.
    public var couples = 5
    /// Of 100 Apple Accounts, the number shared by a family of four.
    public var families = 1
    /// The number of people for each tester. Testers are extra, and use the sandbox.
    public var personsPerTester = 200
    /// The number of people for each circle of people whose purchases depend on one another (seats, groups, families,
    /// bundles). Their people are extra.
    public var personsPerCircle = 25
    /// The number of persons for each customer who paid and presents nothing. These customers are extra.
    public var personsPerCustomer = 100

    /// The time from one phone to the next.
    public var phoneDays = 730...1096
    /// The time from one Mac to the next.
    public var macDays = 1461...2192
    /// The share of new devices on which apps send the old device's receipt, from a backup, for a while.
    public var oldReceipts = 33
    public var oldReceiptDays = 1...60
    /// The share of new devices whose predecessor stays in use for a while.
    public var bothInUse = 30
    public var bothInUseDays = 7...90
    /// The number of reinstalls that change `identifierForVendor`, per 1,000 devices and year. Each device has a
    /// separate rate.
    public var reinstalls = 150...500
    /// The share of such reinstalls after which the app sends a receipt that it had kept (for example, in the
    /// Keychain), for a while.
    public var keptReceipts = 10
    /// The number of backups from two weeks before that are restored on their own device, per 1,000 devices and year.
    /// The app then has the receipt of that day.
    public var restoredBackups = 10
    /// Of 100 people with Macs, the numbers with two, and with three.
    public var twoMacs = 22
    public var threeMacs = 8
    /// The share of Macs whose claims name two interfaces.
    public var twoInterfaces = 30
    /// The share of installs that send no device id.
    public var silentInstalls = 1

    /// The share of people who close their account with the company and open another one within the three years.
    public var reopenedAccounts = 3
    /// The share of people who are guests first, and log in later.
    public var guests = 30
    public var guestDays = 1...90
    /// The share of people who are always guests.
    public var strangers = 10
    /// The share of later members of a shared Apple Account who also use the first one's account with the company.
    public var sharedLogins = 30

    /// Of 100 Apple Accounts with purchases, the number with a refund in a year.
    public var refunds = 1
    /// The share of refunds requested by mistake: the product is bought again, the subscription continues.
    public var mistakenRefunds = 20
    /// The share of refunds that the App Store reverses.
    public var reversedRefunds = 10
    public var refundDays = 1...45
    public var reversalDays = 3...30
    /// The share of uses of an app with a subscription.
    public var subscribers = 45
    /// The share of subscriptions that start with a free trial, and of the others with an introductory price.
    public var trials = 40
    public var introOffers = 15
    /// The share of periods in which the subscription is upgraded, and after which it changes to another product.
    public var upgrades = 2
    public var productChanges = 2
    /// The share of renewals that a receipt shows before they begin, by up to a day.
    public var earlyRenewals = 30
    /// The share of such renewals that an upgrade cancels before they begin, and how much later Apple dates half of these
    /// cancellations, in seconds.
    public var lateUpgrades = 1
    public var cancellationDelay = 28_885
    /// The share of uses with a one-time purchase, if the app sells one.
    public var buyers = 35
    /// The share of consumables that the app finishes only after days, so that they stay in receipts until then.
    public var unfinished = 5
    public var unfinishedDays = 1...30
    /// The share of guests' consumables after which they log in within an hour, and the app sends it once more.
    public var guestLogins = 20
    /// The share of restored non-consumables with a separate transaction id.
    public var renumberedRestores = 70
    /// The share of installs whose receipts show earlier periods under separate transaction ids.
    public var renumberedInstalls = 20
    /// The share of an Apple Account's apps that present StoreKit 2 tokens, and of those that presented receipts before an
    /// update in the three years.
    public var tokenUsers = 40
    public var switches = 50
    /// The share of installs with tokens that do not send the device verification id.
    public var unverifiedInstalls = 5
    /// Of 1,000 Apple Accounts, the number that move to another country in a year.
    public var moves = 15
    /// The share of single-person Apple Accounts to which a family member shares an app's purchases, and of those the
    /// share for which that ends within the three years.
    public var familyShared = 8
    public var sharingEnds = 25
    /// Of 1,000 rows, the number that the company's server wrote twice.
    public var duplicateRows = 5
    /// Of 1,000 rows, the number that came through a spreadsheet, which marks accounts and devices as text.
    public var spreadsheetRows = 3
    /// The share of installs in which somebody writes an e-mail address with a capital.
    public var capitals = 3

    /// When `kingdoms` is transferred to another team, in days since the three years began.
    public var transferDay = 820
    /// The days on which a release of `running` sends ids of its own making for devices.
    public var wrongIDDays = 600..<614
    /// The days of which `running`'s receipts come from a column of a fixed length, which pads them.
    public var paddedDays = 900..<907

    public init() {}
}

extension SeededGenerator {
    /// Returns a duration in seconds, from a range of days.
    mutating func seconds(days: ClosedRange<Int>) -> Int64 {
        Int64(within(days.lowerBound * PurchaseHistory.day...days.upperBound * PurchaseHistory.day))
    }

    /// `true` with this probability in a thousandth.
    mutating func chance(perThousand: Int) -> Bool { below(1000) < perThousand }
}
