public import Encodings

/// What a value looks like, by its first bytes and the characters it consists of.
///
/// It is what a message says was seen, never a verdict.
public enum SeenForm: String, CaseIterable, Codable, Sendable {
    /// A proof, whole or cut.
    case receipt, token
    /// A proof that was changed on its way.
    case quoted, escaped, percentEncoded, blanksForPlus, base64Twice, hexOfText, brokenToken, bearer, utf16, gzip
    case lostBytes, proofInJSON, proofAndMore
    /// Something else of a purchase.
    case transactionReceipt, verifyReceiptRequest, verifyReceiptResponse, notification, decodedNotification
    case transactionJSON, googlePlay, googlePlayToken, applePay, appAttest, transactionID
    /// What a program prints instead of a value.
    case dataDescription, oldPropertyList, redacted
    /// Other text with a structure.
    case json, html, xmlPropertyList, xml, formEncoded, keyValues, address, fileName, date, uuid, email
    /// Other files.
    case appleDouble, binaryPropertyList, bson, certificate, pem, image, pdf, archive, database, program, zeros
    /// Other characters.
    case placeholder, hexadecimal, base64, text, bytes

    /// The noun of a sentence, for one value: `an HTML page`.
    public var noun: String {
        switch self {
        case .receipt: "base64 of a PKCS #7 container, truncated or damaged"
        case .token: "a StoreKit 2 token (JWS)"
        case .quoted: "a proof in quotes"
        case .escaped: "a proof with backslashes, as inside of a JSON string"
        case .percentEncoded: "a proof in percent-encoding (%2B)"
        case .blanksForPlus: "base64 with blanks instead of +"
        case .base64Twice: "base64 of the text of a proof"
        case .hexOfText: "hexadecimal of the text of a proof"
        case .brokenToken: "a token with blanks or line breaks in it"
        case .bearer: "a token after “Bearer” or “data:…,”"
        case .utf16: "text in UTF-16"
        case .gzip: "data compressed with gzip"
        case .lostBytes: "bytes that were read as text and replaced by U+FFFD (EF BF BD)"
        case .proofInJSON: "JSON around a proof"
        case .proofAndMore: "a proof with other text after it"
        case .transactionReceipt: "an iOS 6 style transaction receipt (a property list with “purchase-info”)"
        case .verifyReceiptRequest: "a verifyReceipt request, whose “receipt-data” is the receipt"
        case .verifyReceiptResponse: "a response of verifyReceipt, which is not signed"
        case .notification: "an App Store Server Notification (JSON with “signedPayload”)"
        case .decodedNotification: "a decoded App Store Server Notification, without its signature"
        case .transactionJSON: "the JSON of a StoreKit transaction, which nobody signed"
        case .googlePlay: "a purchase of Google Play"
        case .googlePlayToken: "a purchase token or order number of Google Play"
        case .applePay: "an Apple Pay token"
        case .appAttest: "an App Attest attestation or assertion"
        case .transactionID: "a decimal number of 12 to 20 digits, such as a transaction id"
        case .dataDescription: "what NSData prints instead of its bytes"
        case .oldPropertyList: "what NSDictionary prints, such as a decoded purchase"
        case .redacted: "text that a log filter writes instead of a value"
        case .json: "JSON"
        case .html: "an HTML page"
        case .xmlPropertyList: "an XML property list"
        case .xml: "XML"
        case .formEncoded: "a form in URL encoding (a=b&c=d)"
        case .keyValues: "a line of key=value pairs"
        case .address: "an address (URL)"
        case .fileName: "the name of a file"
        case .date: "a date"
        case .uuid: "a UUID or a MAC address"
        case .email: "an email address"
        case .appleDouble: "what macOS writes beside a file (AppleDouble, ._NAME)"
        case .binaryPropertyList: "a binary property list"
        case .bson: "BSON"
        case .certificate: "a single certificate"
        case .pem: "PEM of another kind than a receipt"
        case .image: "an image"
        case .pdf: "a PDF document"
        case .archive: "a compressed archive"
        case .database: "a database file"
        case .program: "a program"
        case .zeros: "nothing but zero bytes"
        case .placeholder: "a placeholder for no value"
        case .hexadecimal: "hexadecimal digits"
        case .base64: "base64 of other bytes"
        case .text: "plain text"
        case .bytes: "bytes that are no text"
        }
    }
}

/// A form, perhaps encoded in base64.
public struct SeenValue: Hashable, Codable, Sendable {
    public let form: SeenForm
    public let isBase64: Bool
    /// The keys that lead to the proof in it, joined by dots; empty unless the form is ``SeenForm/proofInJSON``.
    public var key: ExactText = ""

    init(_ form: SeenForm, isBase64: Bool = false) { (self.form, self.isBase64) = (form, isBase64) }

    /// The noun of a sentence.
    public var noun: String { (isBase64 ? "base64 of " : "") + form.noun }

    /// The maximum number of bytes that are examined.
    private static let maxExamined = 64 << 10

    /// Examines a value, as it is stored; `nil` if it is empty or blank.
    public init?(_ stored: Span<UInt8>) {
        let start = stored.extracting(first: Self.maxExamined)
        let text = start.extracting(start.byteOrderMark...).withoutBlanks
        guard text.count > 0 else { return nil }
        self.init(start.copy(), text.copy(), isWhole: stored.count <= Self.maxExamined)
    }

    private init(_ bytes: [UInt8], _ text: [UInt8], isWhole: Bool) {
        if let form = SeenForm(magic: bytes) {
            self.init(form)
        } else if let form = SeenForm(changed: text.span) {
            self.init(form)
        } else if !SeenForm.isText(text[...], isWhole: isWhole) {
            self.init(SeenForm.isReplaced(text.span) ? .lostBytes : .bytes)
        } else if SeenForm.isReplaced(text.span) {
            self.init(.lostBytes)
        } else if SeenValue.mayBeJSON(text[0]), let key = SeenJSON.keyOfProof(in: text.span) {
            self.init(.proofInJSON)
            self.key = ExactText(key)
        } else if let form = SeenForm(structured: text[...]) {
            self.init(form)
        } else if let inner = Self.decoded(text.span), let found = SeenValue(decoded: inner) {
            self = found
        } else {
            self.init(SeenForm(word: text.span))
        }
    }

    /// Examines what base64 holds; `nil` if it is nothing in particular.
    private init?(decoded: [UInt8]) {
        let text = decoded.span.extracting(decoded.span.byteOrderMark...).withoutBlanks.copy()
        var form: SeenForm?
        var key: String?
        if ProofStart.begins(text.span.extracting(first: ProofStart.length)) {
            form = .base64Twice
        } else if let known = SeenForm(magic: decoded) {
            form = known
        } else if let first = text.first, SeenForm.isText(text[...], isWhole: false) {
            key = Self.mayBeJSON(first) ? SeenJSON.keyOfProof(in: text.span) : nil
            // Short words and numbers decode to something that looks like text by chance.
            let other: SeenForm? = text.count >= 30 ? .text : nil
            form = key != nil ? .proofInJSON : SeenForm(structured: text[...]) ?? other
        }
        guard let form else { return nil }
        self.init(form, isBase64: form != .base64Twice)
        self.key = ExactText(key ?? "")
    }

    private static func mayBeJSON(_ byte: UInt8) -> Bool { Array("{[\"".utf8).contains(byte) }

    /// Returns what the first whole groups of base64 hold.
    private static func decoded(_ text: Span<UInt8>) -> [UInt8]? {
        guard text.count >= 16, text.indices.allSatisfy({ ProofStart.isDigit(text[$0]) }) else { return nil }
        var digits = text.copy().filter { !$0.isBlank && $0 != UInt8(ascii: "=") }
        digits.removeLast(digits.count % 4)
        var octets: [UInt8] = []
        return Base64.decode(digits.span, into: &octets) ? octets : nil
    }
}

extension SeenForm {
    /// Magic numbers, the longer before the shorter.
    private static let magics: [(bytes: [UInt8], form: SeenForm)] = [
        (Array("bplist".utf8), .binaryPropertyList), ([0, 5, 0x16, 7], .appleDouble),
        // CBOR: maps of three and of two members, each with the first name.
        ([0xa3, 0x63] + Array("fmt".utf8) + [0x6f] + Array("apple-appattest".utf8), .appAttest),
        ([0xa2, 0x69] + Array("signature".utf8), .appAttest), ([0x89] + Array("PNG\r\n".utf8), .image),
        ([0xff, 0xd8, 0xff], .image), (Array("GIF8".utf8), .image), (Array("%PDF-".utf8), .pdf),
        ([0x1f, 0x8b], .gzip), (Array("PK\u{3}\u{4}".utf8), .archive), (Array("BZh".utf8), .archive),
        ([0xfd] + Array("7zXZ\0".utf8), .archive), ([0x28, 0xb5, 0x2f, 0xfd], .archive),
        (Array("SQLite format 3".utf8), .database), ([0xcf, 0xfa, 0xed, 0xfe], .program),
        (Array("\u{7f}ELF".utf8), .program),
    ]

    init?(magic bytes: [UInt8]) {
        if bytes.allSatisfy({ $0 == 0 }) {
            self = .zeros
        } else if let known = Self.magics.first(where: { bytes.starts(with: $0.bytes) }) {
            self = known.form
        } else if Self.isBSON(bytes.span) {
            self = .bson
        } else if Self.isCertificate(bytes[...]) {
            self = .certificate
        } else if FileShape.encoding(bytes.span)?.name == "UTF-16" {
            self = .utf16
        } else {
            return nil
        }
    }

    /// Whether the bytes begin like a document of a collection: its length, and `_id`.
    static func isBSON(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 9, bytes[3] < 2, (1...0x13).contains(bytes[4]) else { return false }
        // The terminator of the first document, or a member's type and name.
        return bytes.starts(with: Array("_id\0".utf8), at: 5)
            || bytes[2] < 0x20 && bytes[4] == 2 && bytes.extracting(5..<9).indices.allSatisfy { bytes[5 + $0] >= 0x5f }
    }

    /// Whether the bytes begin like a certificate: SEQUENCE, SEQUENCE, then version 3 or a serial number.
    private static func isCertificate(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let certificate = afterHeader(bytes), let inner = afterHeader(certificate) else { return false }
        return inner.starts(with: [0xa0, 0x03, 0x02, 0x01, 0x02])
    }

    /// Returns the bytes after the tag and length of a SEQUENCE.
    private static func afterHeader(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.first == 0x30, let length = bytes.dropFirst().first else { return nil }
        return bytes.dropFirst(length > 0x80 ? 2 + Int(length & 0x7f) : 2)
    }

    /// Whether the bytes are text in UTF-8. The last character of a part may be truncated.
    fileprivate static func isText(_ bytes: ArraySlice<UInt8>, isWhole: Bool) -> Bool {
        guard bytes.allSatisfy({ $0 >= 0x20 || $0.isBlank }) else { return false }
        let end = isWhole ? bytes.endIndex : (bytes.lastIndex { $0 < 0x80 } ?? bytes.startIndex)
        return String(validating: bytes[..<end], as: UTF8.self) != nil
    }

    /// Whether one of the first bytes was replaced, as where DER was decoded as UTF-8.
    fileprivate static func isReplaced(_ bytes: Span<UInt8>) -> Bool {
        bytes.extracting(first: 64).firstIndex(of: [0xef, 0xbf, 0xbd], from: 0) != nil
    }
}

extension SeenForm {
    /// Recognizes how the text of a proof was changed; a proof as it should be is one, too.
    fileprivate init?(changed text: Span<UInt8>) {
        let start = text.extracting(first: ProofStart.length)
        if ProofStart.beginsHexadecimalOfText(start) {
            self = .hexOfText
        } else if text[0] == UInt8(ascii: "\"") || text[0] == UInt8(ascii: "'"),
            ProofStart.begins(start.extracting(1...))
        {
            self = .quoted
        } else if text.starts(with: Array("Optional(\"".utf8)),
            ProofStart.begins(start.extracting(min(10, start.count)...))
        {
            self = .quoted
        } else if text.starts(with: Array("Bearer ".utf8)) {
            self = .bearer
        } else if text.starts(with: Array("data:".utf8)), let comma = start.firstIndex(of: UInt8(ascii: ",")) {
            let rest = text.extracting((comma + 1)...)
            if ProofStart.begins(rest.extracting(first: ProofStart.length)) {
                self = .bearer
            } else if rest.starts(with: Array("ZXlK".utf8)) {
                self = .base64Twice
            } else {
                return nil
            }
        } else if ProofStart.begins(start),
            text[0] != UInt8(ascii: "e") || text.firstIndex(of: UInt8(ascii: ".")) != nil
        {
            self = Self.change(of: text)
        } else {
            return nil
        }
    }

    private static func change(of text: Span<UInt8>) -> SeenForm {
        let isToken = text[0] == UInt8(ascii: "e")
        var (hasPlus, hasSpace, hasBreak, hasMore) = (false, false, false, false)
        let isArmoured = text[0] == UInt8(ascii: "-")
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "+"): hasPlus = true
            case 0x20: hasSpace = true
            case 0x09...0x0d: hasBreak = true
            case UInt8(ascii: "\\") where index > 2: return .escaped
            case UInt8(ascii: "%"): return .percentEncoded
            default: hasMore = hasMore || !isArmoured && index > 2 && !text[index].isRunByte
            }
        }
        if hasMore { return .proofAndMore }
        if isToken { return hasSpace || hasBreak ? .brokenToken : .token }
        return hasSpace && !hasPlus && !isArmoured ? .blanksForPlus : .receipt
    }
}
