public import Checks
public import Encodings

/// A row of the table `fraud`.
public struct FindingRow: Sendable, Equatable {
    public var id: FindingID
    public var severity: Severity
    public var confidence: Confidence
    /// The rule's id.
    public var rule: ExactText
    public var subject: ExactText
    /// The numbers of distinct claims, devices and accounts involved.
    public var claims = 0
    public var devices = 0
    public var accounts = 0
    /// The first ten sources.
    public var sources: [ExactText] = []
    public var evidence = ""
    /// The number of distinct transactions concerned; 1 if the rule does not count them.
    public var events = 1
    /// The app, product, device and account, if the whole finding has only one; otherwise empty. A device is named only
    /// if a matching claim shows it.
    public var bundleID: ExactText = ""
    public var productID: ExactText = ""
    public var deviceID: ExactText = ""
    public var accountID: ExactText = ""
    /// The total price of the transactions concerned; `nil` if none has a price.
    public var atStake: AmountAtStake?
    /// The number of transactions concerned without a price, or with a price in another currency.
    public var unpriced = 0
    /// The latest presentation among its claims, if any is dated.
    public var lastPresented: Instant?
    /// Whether it gained claims since it was reviewed.
    public package(set) var isAboutMore = false
    /// The finding of the ring that it belongs to.
    public package(set) var ring: FindingID?

    public init(id: FindingID, severity: Severity, confidence: Confidence, rule: ExactText, subject: ExactText) {
        self.id = id
        self.severity = severity
        self.confidence = confidence
        self.rule = rule
        self.subject = subject
    }
}

/// The total price of a finding's distinct transactions, in one currency.
public struct AmountAtStake: Sendable, Equatable {
    /// In millionths of the currency's unit.
    public var millionths: Int64
    /// ISO 4217.
    public var currency: ExactText
    /// Whether there are more transactions than are counted exactly, so that the amount is a lower bound.
    public var isLeast = false

    public init(millionths: Int64, currency: ExactText) {
        self.millionths = millionths
        self.currency = currency
    }
}
