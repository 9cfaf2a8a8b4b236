import Encodings

/// The format of bytes that are not a receipt, if it can be recognized.
///
/// People send the receipt of an older or a newer system, the whole request instead of the value inside, or an error
/// page. Telling them so saves them an hour. It is a guess for a person, never a verdict.
public enum ForeignFormat: Equatable, Sendable {
    /// The receipt of iOS 6 and older for a single transaction (`transactionReceipt`).
    case transactionReceipt
    /// A StoreKit 2 transaction, or another token in the compact form of JWS (RFC 7515).
    case signedToken
    /// The body of a request to Apple's verifyReceipt, which contains the receipt.
    case verifyReceiptRequest
    /// The answer of Apple's verifyReceipt.
    case verifyReceiptResponse
    /// An App Store Server Notification, version 2.
    case serverNotification
    /// The unsigned JSON of a StoreKit 2 transaction, from `jsonRepresentation`.
    case storeKitJSON
    /// A purchase of Google Play, in JSON.
    case googlePlay
    /// A payment token of Apple Pay, in JSON.
    case applePayToken
    /// An attestation or an assertion of App Attest, in CBOR.
    case appAttest
    case json
    /// The printed form of `NSData` instead of its bytes.
    case dataDescription
    case html
    case xmlPropertyList
    case xml
    case binaryPropertyList
    /// The property list of NeXTSTEP, `{ "key" = "value"; }`.
    case oldPropertyList
    case text
    /// A certificate (RFC 5280) by itself.
    case certificate
    /// PEM armour around something other than a receipt (RFC 7468).
    case pem(label: String)
    /// Another kind of file, recognized by its first bytes.
    case file(kind: String)
    /// Nothing but zeros, as a failing disk or an interrupted copy leaves them.
    case zeros
    /// Base64 of a container that was truncated or damaged, so that it does not decode.
    case damagedBase64
    /// Base64 of another format.
    indirect case base64(of: ForeignFormat)
}

extension ForeignFormat: CustomStringConvertible {
    public var description: String {
        switch self {
        case .transactionReceipt: "an iOS 6 style transaction receipt (a property list with “purchase-info”)"
        case .signedToken: "a StoreKit 2 token (JWS)"
        case .verifyReceiptRequest: "a verifyReceipt request: the receipt is the value of its “receipt-data”"
        case .verifyReceiptResponse: "a response of verifyReceipt, which is not signed"
        case .serverNotification: "an App Store Server Notification (JSON with “signedPayload”)"
        case .storeKitJSON: "the JSON of a StoreKit 2 transaction, which is not signed: its jwsRepresentation is"
        case .googlePlay: "a purchase of Google Play"
        case .applePayToken: "an Apple Pay token"
        case .appAttest: "an App Attest attestation or assertion"
        case .json: "JSON"
        case .dataDescription: "what NSData prints instead of its bytes: send base64EncodedString()"
        case .html: "an HTML page, perhaps an error page that was saved instead of a download"
        case .xmlPropertyList: "an XML property list"
        case .xml: "XML"
        case .binaryPropertyList: "a binary property list"
        case .oldPropertyList: "an old-style property list"
        case .text: "plain text"
        case .certificate: "a single certificate"
        case .pem(let label): "PEM of another kind: \(label)"
        case .file(let kind): kind
        case .zeros: "nothing but zero bytes"
        case .damagedBase64: "base64 of a PKCS #7 container, truncated or damaged"
        case .base64(let inner): "base64 of \(inner)"
        }
    }
}

extension ForeignFormat {
    /// Sniffs bytes that are not a receipt; `nil` if no known format matches.
    public init?(sniffing bytes: [UInt8]) {
        self.init(bytes[...], mayBeBase64: true)
    }

    private init?(_ bytes: ArraySlice<UInt8>, mayBeBase64: Bool) {
        guard !bytes.isEmpty else { return nil }
        if bytes.allSatisfy({ $0 == 0 }) {
            self = .zeros
        } else if let kind = Self.signatures.first(where: { bytes.starts(with: $0.bytes) })?.kind {
            self = kind
        } else if Self.isCertificate(bytes) {
            self = .certificate
        } else if let text = Self.text(bytes) {
            self.init(text: text, mayBeBase64: mayBeBase64)
        } else {
            return nil
        }
    }

    private init(text: ArraySlice<UInt8>, mayBeBase64: Bool) {
        if let label = Self.pemLabel(text) {
            self = label == "CERTIFICATE" ? .certificate : .pem(label: label)
        } else if Self.isToken(text) {
            self = .signedToken
        } else if let first = text.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            self = Self.braces(text)
        } else if text.first == UInt8(ascii: "<") {
            self = Self.markup(text)
        } else if mayBeBase64, let inner = Self.base64(text) {
            self = inner
        } else {
            self = .text
        }
    }

    /// Magic numbers, the longer before the shorter.
    private static let signatures: [(bytes: [UInt8], kind: ForeignFormat)] = [
        (Array("bplist".utf8), .binaryPropertyList),
        // CBOR: maps of three and of two members, each with the first name.
        ([0xa3, 0x63] + Array("fmt".utf8) + [0x6f] + Array("apple-appattest".utf8), .appAttest),
        ([0xa2, 0x69] + Array("signature".utf8), .appAttest),
        ([0x89] + Array("PNG\r\n".utf8), .file(kind: "a PNG image")),
        ([0xff, 0xd8, 0xff], .file(kind: "a JPEG image")),
        (Array("GIF8".utf8), .file(kind: "a GIF image")),
        (Array("%PDF-".utf8), .file(kind: "a PDF document")),
        ([0x1f, 0x8b], .file(kind: "gzip data")),
        (Array("PK\u{3}\u{4}".utf8), .file(kind: "a zip archive")),
        (Array("BZh".utf8), .file(kind: "bzip2 data")),
        ([0xfd] + Array("7zXZ\0".utf8), .file(kind: "xz data")),
        ([0x28, 0xb5, 0x2f, 0xfd], .file(kind: "zstd data")),
        (Array("SQLite format 3".utf8), .file(kind: "an SQLite database")),
        ([0xff, 0xfe], .file(kind: "UTF-16 text")),
        ([0xfe, 0xff], .file(kind: "UTF-16 text")),
        ([0xcf, 0xfa, 0xed, 0xfe], .file(kind: "a Mach-O program")),
        (Array("\u{7f}ELF".utf8), .file(kind: "an ELF program")),
    ]

    /// Whether the bytes begin like a certificate: SEQUENCE, SEQUENCE, then version 3 or a serial number.
    private static func isCertificate(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let certificate = afterHeader(0x30, bytes), let inner = afterHeader(0x30, certificate) else {
            return false
        }
        return inner.starts(with: [0xa0, 0x03, 0x02, 0x01, 0x02])
    }

    /// Returns the bytes after an element's tag and length.
    private static func afterHeader(_ tag: UInt8, _ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.first == tag, let length = bytes.dropFirst().first else { return nil }
        return bytes.dropFirst(length > 0x80 ? 2 + Int(length & 0x7f) : 2)
    }

    /// Recognizes base64 of a known format, or of a receipt that does not decode.
    private static func base64(_ text: ArraySlice<UInt8>) -> ForeignFormat? {
        var digits = text.filter { !$0.isBlank && $0 != UInt8(ascii: "=") }
        digits.removeLast(digits.count % 4)
        var bytes: [UInt8] = []
        guard digits.count >= 16, Base64.decode(digits.span, into: &bytes) else { return nil }
        if let content = afterHeader(0x30, bytes[...]), content.starts(with: pkcs7) { return .damagedBase64 }
        return ForeignFormat(bytes[...], mayBeBase64: false).map { .base64(of: $0) }
    }

    /// The header of a PKCS #7 content type.
    private static let pkcs7: [UInt8] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07]
}

extension ForeignFormat {
    /// Returns the bytes without surrounding blanks, if they are text in UTF-8.
    private static func text(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let marked = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes
        guard marked.allSatisfy({ $0 >= 0x20 || $0.isBlank }) else { return nil }
        guard String(validating: marked, as: UTF8.self) != nil else { return nil }
        let text = marked.drop(while: \.isBlank)
        guard let last = text.lastIndex(where: { !$0.isBlank }) else { return text }
        return text[...last]
    }

    /// Returns the label of the first PEM armour, if the text begins with one.
    private static func pemLabel(_ text: ArraySlice<UInt8>) -> String? {
        let begin = Array("-----BEGIN ".utf8)
        guard text.starts(with: begin) else { return nil }
        let label = text.dropFirst(begin.count).prefix { $0 != UInt8(ascii: "-") && !($0 < 0x20) }
        return String(decoding: label.prefix(40), as: UTF8.self)
    }

    /// Whether the text has three parts in base64url, the first one being base64 of `{"`.
    private static func isToken(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.starts(with: Array("eyJ".utf8)) else { return false }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 3 && parts.allSatisfy { $0.allSatisfy(isBase64) }
    }

    /// Distinguishes JSON, old-style property lists, and `{length = 4, bytes = 0x30820000}`.
    private static func braces(_ text: ArraySlice<UInt8>) -> ForeignFormat {
        if text.starts(with: Array("{length".utf8)), contains(text.prefix(100), "bytes") { return .dataDescription }
        guard isOldPropertyList(text) else {
            if contains(text, "\"receipt-data\"") { return .verifyReceiptRequest }
            if contains(text, "\"signedPayload\"") { return .serverNotification }
            if contains(text, "\"status\""), contains(text, "\"receipt\"") { return .verifyReceiptResponse }
            // These names may be inside a string of JSON, so the search omits their quotes.
            if ofStoreKit.contains(where: { contains(text, $0) })
                || contains(text, "bundleId") && contains(text, "transactionId")
            {
                return .storeKitJSON
            }
            if ofApplePay.contains(where: { contains(text, $0) }) { return .applePayToken }
            return ofGooglePlay.contains { contains(text, $0) } ? .googlePlay : .json
        }
        return contains(text, "purchase-info") ? .transactionReceipt : .oldPropertyList
    }

    /// Keys that only Apple's transactions, app transactions and renewal infos have.
    private static let ofStoreKit = [
        "originalTransactionId", "deviceVerification", "autoRenewProductId", "receiptCreationDate",
    ]
    /// Versions that only payment tokens have.
    private static let ofApplePay = ["EC_v1", "RSA_v1"]
    /// Keys that only purchases of Google Play have.
    private static let ofGooglePlay = ["purchaseToken", "packageName", "GPA."]

    /// Whether `=` follows the first key, where JSON has `:`.
    private static func isOldPropertyList(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text.dropFirst().drop(while: \.isBlank)
        if rest.first == UInt8(ascii: "\"") {
            rest = rest.dropFirst().drop { $0 != UInt8(ascii: "\"") }.dropFirst()
        } else {
            rest = rest.drop { isBase64($0) || $0 == UInt8(ascii: ".") }
        }
        return rest.drop(while: \.isBlank).first == UInt8(ascii: "=")
    }

    private static func markup(_ text: ArraySlice<UInt8>) -> ForeignFormat {
        if isDataDescription(text) { return .dataDescription }
        let start = text.prefix(1000).map { (0x41...0x5a).contains($0) ? $0 + 0x20 : $0 }[...]
        if contains(start, "<plist") { return .xmlPropertyList }
        return contains(start, "<html") || contains(start, "<!doctype html") ? .html : .xml
    }

    /// Whether there are hexadecimal digits in angle brackets, eight or more: `<30820000 0609>`.
    private static func isDataDescription(_ text: ArraySlice<UInt8>) -> Bool {
        let digits = text.dropFirst().prefix { Hex.value($0) != nil }.count
        let end = text.dropFirst(1 + digits).first
        return digits >= 8 && (end == nil || end == UInt8(ascii: ">") || end?.isBlank == true)
    }

    /// Returns whether it is a digit of base64, in the standard or the URL-safe alphabet.
    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2b, 0x2f, 0x2d, 0x5f: true
        default: false
        }
    }

    private static func contains(_ text: ArraySlice<UInt8>, _ word: String) -> Bool {
        let word = Array(word.utf8)
        guard let first = word.first else { return true }
        var rest = text
        while let index = rest.firstIndex(of: first) {
            rest = rest[index...]
            if rest.starts(with: word) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
