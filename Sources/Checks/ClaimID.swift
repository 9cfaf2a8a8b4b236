public import Encodings
import Inputs
public import Proofs

/// The first 96 bits of a SHA-256 hash, written as 24 lower-case hexadecimal digits.
///
/// It identifies a claim or a finding by its content, so it is the same in every run.
public struct IdentityHash: Hashable, Comparable, Sendable {
    /// The first eight bytes, the most significant first.
    public let high: UInt64
    /// The four bytes after them.
    public let low: UInt32

    /// The id of something that has no id yet.
    public static let none = IdentityHash(high: 0, low: 0)

    public init(high: UInt64, low: UInt32) { (self.high, self.low) = (high, low) }

    /// Makes an id from the first twelve bytes of a digest.
    public init(_ digest: Digest) {
        let octets = digest.octets
        let high = (0..<8).reduce(UInt64(0)) { $0 << 8 | UInt64(octets[$1]) }
        self.init(high: high, low: (8..<12).reduce(UInt32(0)) { $0 << 8 | UInt32(octets[$1]) })
    }

    /// Reads 24 lower-case hexadecimal digits; `nil` for any other text.
    public init?(_ text: ExactText) {
        guard text.utf8.count == 24 else { return nil }
        var (high, low): (UInt64, UInt32) = (0, 0)
        for (index, character) in text.utf8.enumerated() {
            guard let digit = Hex.value(character), !(0x41...0x46).contains(character) else { return nil }
            if index < 16 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt32(digit) }
        }
        self.init(high: high, low: low)
    }

    public static func < (a: IdentityHash, b: IdentityHash) -> Bool { (a.high, a.low) < (b.high, b.low) }
}

extension IdentityHash: CustomStringConvertible {
    public var description: String {
        var digits: [UInt8] = []
        append(to: &digits)
        return String(decoding: digits, as: UTF8.self)
    }

    /// Appends its digits.
    package func append(to text: inout [UInt8]) {
        text.append(bigEndian: Hex.digits(UInt32(truncatingIfNeeded: high >> 32)))
        text.append(bigEndian: Hex.digits(UInt32(truncatingIfNeeded: high)))
        text.append(bigEndian: Hex.digits(low))
    }
}

extension IdentityHash: StablyHashable {
    public var stableHash: UInt64 { stableMix(high ^ UInt64(low)) }
}

extension IdentityHash: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let hash = IdentityHash(try container.decode(ExactText.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "it is no identity")
        }
        self = hash
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// The id of a claim's content: who presents which proof and asks for what (column `claim_id`).
///
/// Rows with the same content have the same id, wherever they are and in whichever run.
public typealias ClaimID = IdentityHash

/// The id of a case: one proof in the hands of one device and account that ask for one product (column `case_id`).
///
/// Claims that differ only in when they were presented, and by which version of the app, are presentations of one case.
public typealias CaseID = IdentityHash

/// The id of a rule's finding about a subject (column `finding_id`).
public typealias FindingID = IdentityHash

/// Computes the ids of claims and findings, for one thread: SHA-256 over fields, each as its length in bytes in decimal
/// digits, a colon, and its bytes.
public final class IdentityHasher {
    private let hasher: ContentHasher
    private var fields = IdentityFields()

    public init() throws(OpenSSLError) { hasher = try ContentHasher() }

    /// The reason why a hash could not be computed. Hashes made after it are invalid.
    public var failure: OpenSSLError? { hasher.failure }

    /// Returns the id of a finding.
    public func finding(rule: ExactText, subject: ExactText) -> FindingID {
        fields.removeAll()
        fields.append(rule.utf8.span)
        fields.append(subject.utf8.span)
        return fields.hash(by: hasher)
    }

    /// Sets a claim's id and the id of its case.
    ///
    /// A proof is identified by the hash of its signed content if container, signature and chain are valid, because one
    /// content can be in many containers. Any other proof is identified by its bytes.
    ///
    /// - Parameters:
    ///   - raw: the proof as in the file or cell; without a proof the row, without its line end, or the path as in the
    ///     row.
    ///   - account: replaces the account in the ids: the one that it was called before.
    public func identify(_ facts: inout Facts, raw: Span<UInt8>, account: ExactText? = nil) {
        facts.untrustedSigner = untrustedSigner(facts)
        // The digest is computed before the fields, because both use the same hasher.
        let proof: Digest
        if let digest = facts.signature?.contentDigest, !facts.failed.containsAny(upTo: .signerNotAppStore) {
            proof = digest
        } else {
            // White space around a token is not part of it.
            proof = hasher.digest(of: facts.format == .token ? raw.withoutBlanks : raw)
        }
        // A local variable saves an access to the property for each field.
        var fields = IdentityFields()
        swap(&fields, &self.fields)
        fields.removeAll()
        fields.append(hexOf: proof.octets)
        fields.append(devicesOf: facts)
        fields.append(lowerCase: facts.claim.deviceVerificationID)
        fields.append((account ?? facts.claim.accountID).utf8.span)
        fields.append(lowerCase: facts.claim.accountToken)
        fields.append(facts.claim.bundleID.utf8.span)
        let length = fields.count
        fields.append(facts.claim.appVersion.utf8.span)
        fields.append(facts.claim.productID.utf8.span)
        fields.append(facts.claim.presentedAt)
        facts.id = fields.hash(by: hasher)
        fields.removeAll(after: length)
        fields.append(facts.claim.productID.utf8.span)
        facts.caseID = fields.hash(by: hasher)
        swap(&fields, &self.fields)
    }

    private func untrustedSigner(_ facts: borrowing Facts) -> [UInt8] {
        guard let chain = facts.signature?.chain, chain.trust != .noSigner, let leaf = chain.certificates.first,
            Self.chainChecks.contains(where: { facts.failed.contains($0) })
        else { return [] }
        return hasher.digest(of: leaf.span).bytes
    }

    private static let chainChecks: [Check] = [.chainUntrusted, .chainExpired, .signerNotAppStore]
}

/// Fields, each as its length in bytes in decimal digits, a colon, and its bytes.
private struct IdentityFields {
    private var octets: [UInt8] = []
    private var scratch: [UInt8] = []

    func hash(by hasher: ContentHasher) -> IdentityHash { IdentityHash(hasher.digest(of: octets.span)) }

    mutating func removeAll() { octets.removeAll(keepingCapacity: true) }

    /// The number of bytes so far.
    var count: Int { octets.count }

    mutating func removeAll(after count: Int) { octets.removeLast(octets.count - count) }

    private mutating func append(length: Int) {
        octets.append(decimal: Int64(length))
        octets.append(UInt8(ascii: ":"))
    }

    mutating func append(_ field: Span<UInt8>) {
        append(length: field.count)
        octets.append(copying: field)
    }

    private mutating func appendScratch() {
        append(length: scratch.count)
        octets.append(contentsOf: scratch)
    }

    mutating func append(lowerCase text: ExactText) {
        if text.isEmpty { append(length: 0) } else { append(text.lowercasedASCII.utf8.span) }
    }

    mutating func append(hexOf field: Span<UInt8>) {
        append(length: 2 * field.count)
        Hex.append(field, to: &octets)
    }

    mutating func append(_ date: Instant?) {
        guard let date else { return append(length: 0) }
        scratch.removeAll(keepingCapacity: true)
        scratch.append(decimal: date.milliseconds)
        appendScratch()
    }

    /// Appends the devices. Nearly all claims name one, already parsed.
    mutating func append(devicesOf facts: borrowing Facts) {
        if facts.claimedDevice.identifiers.count == 1, !facts.claimedDevice.isMalformed,
            facts.claimedDevice.placeholder == nil
        {
            let device = facts.claimedDevice.identifiers[0]
            append(hexOf: device.span)
        } else {
            scratch.removeAll(keepingCapacity: true)
            DeviceIdentifiers.appendIdentity(of: facts.claim.deviceID, to: &scratch)
            appendScratch()
        }
    }
}
