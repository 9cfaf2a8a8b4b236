import Encodings

extension ForeignFormat {
    /// Looks at bytes that are no receipt; `nil` if nothing is known that looks so.
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

    /// Whether the bytes begin as a certificate does: SEQUENCE, SEQUENCE, then version 3 or a serial number.
    private static func isCertificate(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let certificate = afterHeader(0x30, bytes), let inner = afterHeader(0x30, certificate) else {
            return false
        }
        return inner.starts(with: [0xa0, 0x03, 0x02, 0x01, 0x02])
    }

    /// What stands behind an element's tag and length.
    private static func afterHeader(_ tag: UInt8, _ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.first == tag, let length = bytes.dropFirst().first else { return nil }
        return bytes.dropFirst(length > 0x80 ? 2 + Int(length & 0x7f) : 2)
    }

    /// Base64 of something that is known, or of a receipt that does not decode.
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
