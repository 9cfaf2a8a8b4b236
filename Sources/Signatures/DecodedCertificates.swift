private import COpenSSL
import DER

/// The certificates of one container, decoded.
final class DecodedCertificates {
    /// Apple's containers hold three.
    static let limit = 8
    /// Apple's certificates have less than 1,700 bytes, one with keys of RSA-16384 has some 5,000.
    static let sizeLimit = 1 << 14

    /// Each certificate's DER, in the container's order.
    let encodings: [[UInt8]]
    /// The same as a `STACK_OF(X509)`, which owns its certificates.
    let stack: Owned<X509Stack>
    /// The position of the certificate that the SignerInfo names.
    let signerIndex: Int?

    /// Decodes the certificates of a container in the strict form.
    init(of signedData: borrowing SignedData, library: OpenSSLLibrary) throws(Refusal) {
        var encodings: [[UInt8]] = []
        var signerIndex: Int?
        let stack = try Self.emptyStack()
        var bag = StrictReader(signedData.certificates)
        while !bag.isAtEnd {
            guard encodings.count < Self.limit else { throw .deviation(.tooManyCertificates) }
            let encoding: [UInt8]
            do throws(ContainerDeviation) {
                let certificate = try StrictCertificate(next: &bag)
                guard certificate.encoding.count <= Self.sizeLimit else { throw .oversizedCertificate }
                if certificate.isNamed(by: signedData.signerIdentifier) { signerIndex = signerIndex ?? encodings.count }
                encoding = certificate.encoding.copy()
            } catch {
                throw .deviation(error)
            }
            try unsafe Self.decode(encoding, onto: stack.pointer, library: library)
            encodings.append(encoding)
        }
        self.encodings = encodings
        self.stack = stack
        self.signerIndex = signerIndex
    }

    /// Takes ownership of a stack of certificates that OpenSSL has decoded already.
    init(taking pointer: OpaquePointer?, signer: OpaquePointer?) throws(OpenSSLError) {
        let stack: Owned<X509Stack> = try unsafe Owned(pointer, orThrow: .allocate)
        var encodings: [[UInt8]] = []
        var signerIndex: Int?
        for index in 0..<max(0, unsafe OPENSSL_sk_num(stack.pointer)) {
            guard let certificate = unsafe OPENSSL_sk_value(stack.pointer, index).map({ OpaquePointer($0) })
            else { continue }
            if let signer = unsafe signer, signerIndex == nil, unsafe X509_cmp(certificate, signer) == 0 {
                signerIndex = Int(index)
            }
            unsafe encodings.append(Certificate.der(of: certificate))
        }
        self.encodings = encodings
        self.stack = stack
        self.signerIndex = signerIndex
    }

    /// Why the certificates of a container in the strict form cannot be used.
    enum Refusal: Error {
        /// They are not in the strict form.
        case deviation(ContainerDeviation)
        /// OpenSSL cannot decode one.
        case malformed(String)
    }

    /// The signer's certificate, for the length of one call.
    var signer: OpaquePointer? {
        guard let signerIndex, let certificate = unsafe OPENSSL_sk_value(stack.pointer, CInt(signerIndex)) else {
            return nil
        }
        return OpaquePointer(certificate)
    }

    var hasDuplicates: Bool { Set(encodings).count < encodings.count }

    /// The signer's DER first, then the others.
    var signerFirst: [[UInt8]] {
        guard let signerIndex else { return encodings }
        var others = encodings
        return [others.remove(at: signerIndex)] + others
    }

    private static func emptyStack() throws(Refusal) -> Owned<X509Stack> {
        do throws(OpenSSLError) {
            return try unsafe Owned(OPENSSL_sk_new_null(), orThrow: .allocate)
        } catch {
            throw .malformed(error.description)
        }
    }

    private static func decode(
        _ encoding: [UInt8], onto stack: OpaquePointer, library: OpenSSLLibrary
    ) throws(Refusal) {
        do throws(OpenSSLError) {
            let certificate = try Certificate(der: encoding.span, library: library)
            guard unsafe X509_up_ref(certificate.pointer) == 1,
                unsafe OPENSSL_sk_push(stack, UnsafeRawPointer(certificate.pointer)) > 0
            else { throw OpenSSLError(.allocate) }
        } catch {
            throw .malformed(error.description)
        }
    }
}
