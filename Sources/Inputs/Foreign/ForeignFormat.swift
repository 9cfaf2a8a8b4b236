/// What bytes are that are no receipt, where that can be told from looking at them.
///
/// People send in what they have: the receipt of an older or a newer system, the whole request instead of
/// the value inside, an error page. Saying so saves them an hour. It is a guess for a person, never a verdict.
public enum ForeignFormat: Equatable, Sendable {
    /// What iOS 6 and older had for each transaction (`transactionReceipt`).
    case transactionReceipt
    /// A StoreKit 2 transaction, or another token in the compact form of JWS (RFC 7515).
    case signedToken
    /// The body of a request to Apple's verifyReceipt: the receipt stands in it.
    case verifyReceiptRequest
    /// The answer of Apple's verifyReceipt.
    case verifyReceiptResponse
    /// An App Store Server Notification, version 2.
    case serverNotification
    case json
    case html
    case xmlPropertyList
    case xml
    case binaryPropertyList
    /// The property list of NeXTSTEP, `{ "key" = "value"; }`.
    case oldPropertyList
    case text
    /// A certificate (RFC 5280) by itself.
    case certificate
    /// PEM armour around something else than a receipt (RFC 7468).
    case pem(label: String)
    /// Another kind of file, known by its first bytes.
    case file(kind: String)
    /// Nothing but zeros, as a failing disk or an interrupted copy leaves them.
    case zeros
    /// Base64 of a container that was cut short or damaged, so that it does not decode.
    case damagedBase64
    /// Base64 of one of the others.
    indirect case base64(of: ForeignFormat)
}

extension ForeignFormat: CustomStringConvertible {
    public var description: String {
        switch self {
        case .transactionReceipt: "an iOS 6 style transaction receipt (a property list with “purchase-info”)"
        case .signedToken: "a signed token (JWS), as StoreKit 2 has them: a transaction, not an app receipt"
        case .verifyReceiptRequest: "a verifyReceipt request: the receipt is the value of its “receipt-data”"
        case .verifyReceiptResponse: "an answer of verifyReceipt, which is not signed"
        case .serverNotification: "an App Store Server Notification (JSON with “signedPayload”)"
        case .json: "JSON"
        case .html: "an HTML page, perhaps an error page that was saved in place of a download"
        case .xmlPropertyList: "an XML property list"
        case .xml: "XML"
        case .binaryPropertyList: "a binary property list"
        case .oldPropertyList: "an old-style property list"
        case .text: "plain text"
        case .certificate: "a certificate by itself"
        case .pem(let label): "PEM of another kind: \(label)"
        case .file(let kind): kind
        case .zeros: "nothing but zero bytes"
        case .damagedBase64: "base64 of a PKCS #7 container, cut short or damaged"
        case .base64(let inner): "base64 of \(inner)"
        }
    }
}
