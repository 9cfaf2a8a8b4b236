import DER

/// The certificates that a container holds, by their bytes alone: nothing of them is decoded.
struct CertificateBag {
    /// Apple's containers hold three.
    static let limit = 8
    /// Apple's certificates have less than 1,700 bytes, one with keys of RSA-16384 has some 5,000.
    static let sizeLimit = 1 << 14

    /// One certificate: its DER, and where in it the two Names stand.
    struct Entry {
        let encoding: [UInt8]
        let issuer: Range<Int>
        let subject: Range<Int>

        /// Whether that certificate's subject is who this one names as its issuer.
        func names(_ issuer: Entry) -> Bool { names(issuer.encoding, issuer.subject) }

        /// Whether these bytes are the Name of this certificate's issuer: RFC 5280 (section 4.1.2.6) has an authority
        /// encode it as it stands in its own certificate.
        func names(_ bytes: [UInt8], _ name: Range<Int>) -> Bool {
            areSame(bytes.span.extracting(name), encoding.span.extracting(issuer))
        }
    }

    /// Each certificate once, in the container's order.
    private(set) var entries: [Entry] = []
    /// The position of the certificate that each SignerInfo names.
    private(set) var signerIndexes: [Int?]
    private(set) var hasDuplicates = false
    /// The first thing that is not in the strict form.
    private(set) var deviation: ContainerDeviation?

    /// Reads a bag.
    ///
    /// - Parameter isStrict: whether a deviation is thrown. Otherwise what cannot be read, is too large or comes
    ///   after the limit is as good as missing, which never makes a chain look better than it is.
    init(
        _ references: SignerReferences, isStrict: Bool
    ) throws(ContainerDeviation) {
        signerIndexes = Array(repeating: nil, count: references.count)
        do throws(ContainerDeviation) {
            try StrictReader.read(references.certificates) { reader throws(ContainerDeviation) in
                try add(&reader, references, isStrict: isStrict)
            }
        } catch {
            if isStrict { throw error }
            deviation = deviation ?? error
        }
    }

    /// Reads certificates one after the other.
    private mutating func add(
        _ reader: inout StrictReader, _ references: SignerReferences, isStrict: Bool
    ) throws(ContainerDeviation) {
        var count = 0
        while !reader.isAtEnd {
            count += 1
            if isStrict, count > Self.limit { throw .tooManyCertificates }
            let position = reader.position
            let encoding = try reader.element()
            do throws(ContainerDeviation) {
                try add(StrictCertificate(encoding), references)
            } catch {
                if isStrict { throw error.moved(by: position) }
                deviation = deviation ?? error
            }
        }
        if count > Self.limit { deviation = deviation ?? .tooManyCertificates }
    }

    private mutating func add(
        _ certificate: StrictCertificate, _ references: SignerReferences
    ) throws(ContainerDeviation) {
        let encoding = certificate.encoding
        guard encoding.count <= Self.sizeLimit else { throw .oversizedCertificate }
        let isKnown = entries.contains { areSame(encoding, $0.encoding) }
        hasDuplicates = hasDuplicates || isKnown
        if !isKnown {
            guard entries.count < Self.limit else { throw .tooManyCertificates }
            guard let issuer = encoding.indices(of: certificate.name.issuer),
                let subject = encoding.indices(of: certificate.subject)
            else { throw .certificateShell }
            for index in signerIndexes.indices
            where signerIndexes[index] == nil && certificate.isNamed(by: references.identifier(at: index)) {
                signerIndexes[index] = entries.count
            }
            entries.append(Entry(encoding: encoding.copy(), issuer: issuer, subject: subject))
        }
        guard certificate.hasIntactShell else { throw .certificateShell }
    }

    /// Each certificate's DER.
    var encodings: [[UInt8]] { entries.map(\.encoding) }

    /// Each certificate's DER, this one's first.
    func encodings(beginningWith index: Int) -> [[UInt8]] {
        var others = encodings
        return [others.remove(at: index)] + others
    }
}
