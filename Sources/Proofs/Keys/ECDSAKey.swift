private import COpenSSL
import DER
import Encodings

/// An elliptic curve of FIPS 186-4 that certificates may have keys on (RFC 5480, section 2.1.1.1).
enum NamedCurve: String, CaseIterable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"

    fileprivate var objectIdentifier: [UInt8] {
        switch self {
        case .p256: ObjectIdentifier.secp256r1
        case .p384: ObjectIdentifier.secp384r1
        case .p521: ObjectIdentifier.secp521r1
        }
    }
}

/// Verifies ECDSA signatures (FIPS 186-4, section 6) with one public key, with OpenSSL's `EVP_PKEY_verify`.
///
/// The key is decoded once. Keys on other curves, or with custom parameters, are not read: no authority of Apple's has
/// one, and a forger could choose a curve on which a signature costs any amount of time.
///
/// On P-384, where OpenSSL 3.0 needs ten times as long as on P-256, an ``ECDSAScreen`` refuses invalid signatures after
/// a few have failed. Genuine input has none.
final class ECDSAKey {
    /// The number of invalid signatures after which a screen is made, which costs as much as three of them.
    private static let failuresBeforeScreen = 3

    let curve: NamedCurve
    /// The public key, encoded (SEC 1, section 2.3.3).
    private let point: [UInt8]
    private var failures = 0
    private var screen: ECDSAScreen?
    private let context: Owned<PublicKeyContext>
    // Last: nothing may outlive its key, which contains objects of its library.
    private let key: Owned<PublicKey>
    private let library: OpenSSLLibrary

    /// Reads a certificate's key; `nil` if it is not such a key, or not a point of its curve.
    convenience init?(certificate encoding: [UInt8], library: OpenSSLLibrary) {
        do throws(ContainerDeviation) {
            let certificate = try StrictCertificate(encoding.span)
            let found = try StrictReader.read(certificate.publicKeyInfo) { info throws(ContainerDeviation) in
                try info.inside(.sequence, Self.curveAndPoint)
            }
            guard let (curve, point) = found else { return nil }
            self.init(curve, point: point, library: library)
        } catch {
            return nil
        }
    }

    /// Reads the contents of a SubjectPublicKeyInfo (RFC 5480, section 2).
    private static func curveAndPoint(
        _ info: inout StrictReader
    ) throws(ContainerDeviation) -> (NamedCurve, point: [UInt8])? {
        let curve = try info.inside(.sequence) { algorithm throws(ContainerDeviation) -> NamedCurve? in
            let isEC = try algorithm.contents(of: .objectIdentifier).isSame(as: ObjectIdentifier.ecPublicKey)
            guard isEC, algorithm.isNext(.objectIdentifier) else {
                _ = algorithm.rangeOfRest()
                return nil
            }
            let name = try algorithm.contents(of: .objectIdentifier)
            for curve in NamedCurve.allCases where name.isSame(as: curve.objectIdentifier) { return curve }
            return nil
        }
        let bits = try info.contents(of: .bitString)
        guard let curve, bits.count > 1, bits[0] == 0 else { return nil }
        return (curve, bits.extracting(droppingFirst: 1).copy())
    }

    /// Makes the key from a point, encoded as in certificates (SEC 1, section 2.3.3); `nil` if it is not on the curve.
    init?(_ curve: NamedCurve, point: [UInt8], library: OpenSSLLibrary) {
        ERR_clear_error()
        defer { ERR_clear_error() }
        // One octet is the point at infinity, which is not a public key (SEC 1, section 3.2.2.1), but which OpenSSL
        // reads.
        guard point.count > 1 else { return nil }
        self.curve = curve
        self.point = point
        self.library = library
        do throws(OpenSSLError) {
            key = try Self.key(on: curve, point: point, library: library)
            context = try unsafe Owned(
                EVP_PKEY_CTX_new_from_pkey(library.context.pointer, key.pointer, nil), orThrow: .readKey)
        } catch {
            return nil
        }
        guard unsafe EVP_PKEY_verify_init(context.pointer) == 1 else { return nil }
    }

    private static func key(
        on curve: NamedCurve, point: [UInt8], library: OpenSSLLibrary
    ) throws(OpenSSLError) -> Owned<PublicKey> {
        let maker: Owned<PublicKeyContext> = try unsafe Owned(
            EVP_PKEY_CTX_new_from_name(library.context.pointer, "EC", nil), orThrow: .readKey)
        var (name, point) = (Array(curve.rawValue.utf8CString), point)
        var made: OpaquePointer?
        let isMade = unsafe name.withUnsafeMutableBufferPointer { name in
            unsafe point.withUnsafeMutableBufferPointer { point in
                var parameters = unsafe [
                    OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME_key, name.baseAddress, 0),
                    OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY_key, point.baseAddress, point.count),
                    OSSL_PARAM_construct_end(),
                ]
                return unsafe EVP_PKEY_fromdata_init(maker.pointer) == 1
                    && EVP_PKEY_fromdata(maker.pointer, &made, EVP_PKEY_PUBLIC_KEY_value, &parameters) == 1
            }
        }
        let key: Owned<PublicKey> = try unsafe Owned(made, orThrow: .readKey)
        guard isMade else { throw OpenSSLError(.readKey) }
        return key
    }

    /// Whether `signature`, an ECDSA-Sig-Value in DER (RFC 3279, section 2.2.3), was made over this digest with the
    /// private half of the key.
    func verifies(_ signature: Span<UInt8>, of digest: Span<UInt8>) -> Bool {
        if let screen, screen.refuses(signature, of: digest) { return false }
        ERR_clear_error()
        let holds = unsafe signature.withUnsafeBufferPointer { signature in
            unsafe digest.withUnsafeBufferPointer { digest in
                unsafe EVP_PKEY_verify(
                    context.pointer, signature.baseAddress, signature.count, digest.baseAddress, digest.count) == 1
            }
        }
        if !holds { countFailure() }
        return holds
    }

    /// Whether a screen examines signatures before OpenSSL verifies them.
    var hasScreen: Bool { screen != nil }

    private func countFailure() {
        guard curve == .p384, failures < Self.failuresBeforeScreen else { return }
        failures += 1
        if failures == Self.failuresBeforeScreen { screen = ECDSAScreen(p384: point, library: library) }
    }
}

/// A signature of ES256 (RFC 7518, section 3.4): r and s, 32 octets each.
struct ES256Signature {
    private let storage: InlineArray<64, UInt8>

    var octets: Span<UInt8> { @_lifetime(borrow self) borrowing get { storage.span } }

    /// Returns `nil` unless there are 64 octets.
    init?(_ octets: Span<UInt8>) {
        guard octets.count == 64 else { return nil }
        storage = InlineArray { octets[$0] }
    }

    /// The order n of P-256.
    private static let order: [UInt8] = [
        0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
    ]

    /// Whether r and s are between 1 and n − 1. Both halves of that range occur in genuine tokens.
    var isInRange: Bool { [0..<32, 32..<64].allSatisfy(isInRange) }

    private func isInRange(_ range: Range<Int>) -> Bool {
        let number = octets.extracting(range)
        return number.precedes(Self.order.span) && range.contains { octets[$0] != 0 }
    }

    /// The same as an ECDSA-Sig-Value (RFC 3279, section 2.2.3), whose numbers have no leading zeros except that of the
    /// sign.
    var der: [UInt8] {
        var numbers: [UInt8] = []
        numbers.reserveCapacity(72)
        for range in [0..<32, 32..<64] {
            let start = range.first { octets[$0] != 0 } ?? range.upperBound - 1
            let isHigh = octets[start] >= 0x80
            numbers.append(0x02)
            numbers.append(UInt8(range.upperBound - start + (isHigh ? 1 : 0)))
            if isHigh { numbers.append(0) }
            for index in start..<range.upperBound { numbers.append(octets[index]) }
        }
        return [0x30, UInt8(numbers.count)] + numbers
    }
}
