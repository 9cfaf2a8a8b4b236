import Encodings

/// The value of a payload's member.
protocol MemberValue {
    var json: SampleJSON { get }
}

extension String: MemberValue {
    var json: SampleJSON { .text(self) }
}

extension Int: MemberValue {
    var json: SampleJSON { .number(self) }
}

extension Bool: MemberValue {
    var json: SampleJSON { .bool(self) }
}

/// Milliseconds.
extension Instant: MemberValue {
    var json: SampleJSON { .date(self) }
}

extension SampleJSON: MemberValue {
    var json: SampleJSON { self }
}

extension [String]: MemberValue {
    var json: SampleJSON { .texts(self) }
}

extension SampleJSON {
    /// Returns an object of the members that have a value.
    static func members(_ members: [(String, (any MemberValue)?)]) -> SampleJSON {
        .object(members.compactMap { name, value in value.map { (name, $0.json) } })
    }
}

/// The members that transactions and renewal infos have for an offer.
public struct OfferContent: Sendable {
    /// 1 introductory, 2 promotional, 3 offer code, 4 win-back.
    public var type: Int
    public var identifier: String?
    /// `FREE_TRIAL`, `PAY_AS_YOU_GO`, `PAY_UP_FRONT` or `ONE_TIME`.
    public var discountType: String?
    /// An ISO 8601 duration.
    public var period: String?

    public init(_ type: Int, identifier: String? = nil, discountType: String? = nil, period: String? = nil) {
        self.type = type
        self.identifier = identifier
        self.discountType = discountType
        self.period = period
    }

    /// The introductory offer of a free trial.
    public static let trial = OfferContent(1, discountType: "FREE_TRIAL", period: "P1W")
}

extension OfferContent? {
    /// The four members; none without an offer.
    var members: [(String, (any MemberValue)?)] {
        [
            ("offerType", self?.type), ("offerIdentifier", self?.identifier),
            ("offerDiscountType", self?.discountType), ("offerPeriod", self?.period),
        ]
    }
}

extension DeviceVerification? {
    /// The two members; none in tokens from Apple's server.
    var members: [(String, (any MemberValue)?)] {
        [
            ("deviceVerification", self.map { SampleJSON.base64($0.hash) }),
            ("deviceVerificationNonce", self?.nonce.lowercased()),
        ]
    }
}
