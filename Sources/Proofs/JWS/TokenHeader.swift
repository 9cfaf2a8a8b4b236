import Encodings

/// The header of a token (RFC 7515, section 4): the algorithm, and the certificates in `x5c`.
struct TokenHeader {
    /// `alg`; empty if there is none, or it is not a string.
    private(set) var algorithm: ExactText = ""
    /// The number of entries in `x5c`; `nil` if there is no such array.
    private(set) var certificateCount: Int?
    /// The first three entries of `x5c`; `nil` for one that is not a certificate.
    private(set) var certificates: [EncodedCertificate?] = []
    /// The first deviation from the form that Apple writes.
    private(set) var deviation: TokenDeviation?

    /// The number of certificates in `x5c` of Apple's tokens.
    static let usualCount = 3
    private static let maxDepth = 64

    /// Reads a header, decoded from base64url.
    init(_ octets: [UInt8]) throws(TokenFault) {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(octets, maxDepth: Self.maxDepth)
        } catch {
            throw .header(error.description)
        }
        guard document.kind(JSONDocument.root) == .object else { throw .header("another kind of JSON") }
        if let name = document.repeatedName { deviate(.repeatedMember(name.text)) }
        // Of duplicate members the last counts, as in most readers.
        for member in document.children(of: JSONDocument.root) {
            switch document.name(member) {
            case "alg": algorithm = document.kind(member) == .string ? document.text(member) : ""
            case "x5c": readCertificates(of: document, member)
            case let name: deviate(.member(name.text))
            }
        }
        if algorithm != "ES256" { deviate(.algorithm) }
        let count = certificateCount ?? 0
        if count != Self.usualCount { deviate(.certificateCount(count)) }
        for (index, certificate) in certificates.enumerated() {
            guard let certificate else {
                deviate(.notACertificate(index))
                continue
            }
            if certificates[..<index].contains(where: { $0?.encoding == certificate.encoding }) {
                deviate(.duplicateCertificate)
            }
        }
    }

    private mutating func deviate(_ found: TokenDeviation) { deviation = deviation ?? found }

    private mutating func readCertificates(of document: JSONDocument, _ array: Int) {
        certificates = []
        certificateCount = nil
        guard document.kind(array) == .array else { return }
        var count = 0
        for entry in document.children(of: array) {
            count += 1
            guard count <= Self.usualCount else { continue }
            certificates.append(
                document.kind(entry) == .string ? Self.certificate(document.octets(entry)) : nil)
        }
        certificateCount = count
    }

    /// Reads padded standard base64, without blanks, of exactly one certificate (RFC 7515, section 4.1.6).
    private static func certificate(_ text: Span<UInt8>) -> EncodedCertificate? {
        var der: [UInt8] = []
        guard text.count > 0, Base64.decode(standard: text, into: &der) else { return nil }
        do throws(ContainerDeviation) {
            return EncodedCertificate(try StrictCertificate(der.span))
        } catch {
            return nil
        }
    }
}
