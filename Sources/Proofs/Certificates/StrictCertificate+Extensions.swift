import DER

/// The extensions of a certificate (RFC 5280, section 4.2), as far as they matter before OpenSSL reads them.
extension StrictCertificate {
    /// Whether the subjectKeyIdentifier has these octets (section 4.2.1.2).
    func hasKeyIdentifier(_ octets: Span<UInt8>) -> Bool {
        guard let value = value(of: ObjectIdentifier.subjectKeyIdentifier) else { return false }
        do throws(ContainerDeviation) {
            return try StrictReader.read(value) { extnValue throws(ContainerDeviation) in
                try extnValue.contents(of: .octetString).equals(octets)
            }
        } catch {
            return false
        }
    }

    /// Whether basicConstraints say that this is an authority, without which its key vouches for no other certificate
    /// (section 4.2.1.9).
    var isAuthority: Bool {
        guard let value = value(of: ObjectIdentifier.basicConstraints) else { return false }
        do throws(ContainerDeviation) {
            return try StrictReader.read(value) { extnValue throws(ContainerDeviation) in
                try extnValue.inside(.sequence) { constraints throws(ContainerDeviation) in
                    guard constraints.isNext(.boolean) else {
                        _ = constraints.rangeOfRest()
                        return false
                    }
                    let octets = try constraints.contents(of: .boolean)
                    if !constraints.isAtEnd { _ = try constraints.rangeOfInteger() }
                    return octets.count == 1 && octets[0] != 0
                }
            }
        } catch {
            return false
        }
    }

    /// The DER inside an extension's extnValue; `nil` if there is not exactly one of this type, or they cannot be read.
    @_lifetime(copy self)
    private func value(of type: [UInt8]) -> Span<UInt8>? {
        var found: Range<Int>?
        var isRepeated = false
        do throws(ContainerDeviation) {
            try StrictReader.read(rest) { fields throws(ContainerDeviation) in
                while !fields.isAtEnd, !fields.isNext(.context3) { _ = try fields.element() }
                guard !fields.isAtEnd else { return }
                try fields.inside(.context3) { explicit throws(ContainerDeviation) in
                    try explicit.inside(.sequence) { extensions throws(ContainerDeviation) in
                        while !extensions.isAtEnd {
                            try extensions.inside(.sequence) { field throws(ContainerDeviation) in
                                let isWanted = try field.contents(of: .objectIdentifier).equals(type)
                                if field.isNext(.boolean) { _ = try field.contents(of: .boolean) }
                                let value = try field.rangeOfContents(of: .octetString)
                                guard isWanted else { return }
                                isRepeated = isRepeated || found != nil
                                found = value
                            }
                        }
                    }
                }
            }
        } catch {
            return nil
        }
        guard let found, !isRepeated else { return nil }
        return rest.extracting(found)
    }
}
