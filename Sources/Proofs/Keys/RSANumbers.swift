import DER

/// The two numbers of an RSA public key (RFC 8017, appendix A.1.1), most significant octet first.
struct RSANumbers {
    let modulus: [UInt8]
    let exponent: [UInt8]

    /// Whether verifying with this key costs no more than with Apple's, which have 2,048 bits and 65,537.
    ///
    /// No key beyond that is used unless a verified chain vouches for it.
    var isWithinCostLimit: Bool { modulus.count <= 256 && exponent.count <= 3 }

    /// Whether this is a key of a usual size, up to 4,096 bits, whose signatures are verified here. Others are left to
    /// OpenSSL.
    var isOfUsualSize: Bool { modulus.count <= 512 && exponent.count <= 4 }

    /// What a verification costs, as a multiple of one with a key like Apple's: multiplications grow with the square of
    /// the modulus.
    var verificationCost: Int {
        let size = max(1, (modulus.count + 255) / 256)
        return size * size * (exponent.count > 3 ? 4 : 1)
    }
}

extension RSANumbers {
    /// Reads the key that a certificate is about; `nil` if it is none of RSA's.
    init?(certificate encoding: Span<UInt8>) {
        do throws(ContainerDeviation) {
            let certificate = try StrictCertificate(encoding)
            let numbers = try StrictReader.read(certificate.publicKeyInfo) { info throws(ContainerDeviation) in
                try info.inside(.sequence, Self.numbers)
            }
            guard let numbers else { return nil }
            self = numbers
        } catch {
            return nil
        }
    }

    /// Reads what is inside a SubjectPublicKeyInfo.
    private static func numbers(_ keyInfo: inout StrictReader) throws(ContainerDeviation) -> RSANumbers? {
        let isRSA = try keyInfo.anyAlgorithm().equals(ObjectIdentifier.rsaEncryption)
        let bits = try keyInfo.contents(of: .bitString)
        guard isRSA, bits.count > 1, bits[0] == 0 else { return nil }
        return try StrictReader.read(bits.extracting(droppingFirst: 1)) { key throws(ContainerDeviation) in
            try key.inside(.sequence) { numbers throws(ContainerDeviation) in
                let modulus = positive(try numbers.integerOctets())
                let exponent = positive(try numbers.integerOctets())
                guard let modulus, let exponent else { return nil }
                return RSANumbers(modulus: modulus, exponent: exponent)
            }
        }
    }

    /// A number above zero, without zeros in front.
    private static func positive(_ octets: Span<UInt8>) -> [UInt8]? {
        guard octets.count > 0, octets[0] < 0x80 else { return nil }
        let digits = octets.copy().drop { $0 == 0 }
        return digits.isEmpty ? nil : Array(digits)
    }
}
