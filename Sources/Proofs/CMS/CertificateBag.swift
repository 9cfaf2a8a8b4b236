import DER
import Encodings

/// The certificates of a container, as bytes alone: none of them is decoded.
struct CertificateBag {
    /// The maximum number of certificates; Apple's containers have three.
    static let limit = 8
    /// The maximum size of a certificate in bytes. Apple's have less than 1,700, one with keys of RSA-16384 some 5,000.
    static let sizeLimit = 1 << 14

    /// The distinct certificates in the container's order. Unreadable or oversized ones, and those after the limit, are
    /// left out, which never makes a chain look better than it is.
    private(set) var entries: [EncodedCertificate] = []
    /// The position of the certificate that each SignerInfo names.
    private(set) var signerIndexes: [Int?]
    private(set) var hasDuplicates = false
    /// The first deviation from the strict form.
    private(set) var deviation: ContainerDeviation?

    /// Reads the certificates of a container.
    init(_ references: SignerReferences) {
        signerIndexes = Array(repeating: nil, count: references.count)
        do throws(ContainerDeviation) {
            let range = references.certificateRange
            try StrictReader.read(references.bytes, in: range) { reader throws(ContainerDeviation) in
                var count = 0
                while !reader.isAtEnd {
                    count += 1
                    if count > Self.limit { deviation = deviation ?? .tooManyCertificates }
                    add(try reader.rangeOfElement(), of: references)
                }
            }
        } catch {
            deviation = deviation ?? error
        }
    }

    private mutating func add(_ range: Range<Int>, of references: SignerReferences) {
        do throws(ContainerDeviation) {
            let certificate = try StrictCertificate(references.bytes, in: range)
            guard range.count <= Self.sizeLimit else { throw .oversizedCertificate }
            if entries.contains(where: { certificate.encoding.isSame(as: $0.encoding) }) {
                hasDuplicates = true
            } else {
                guard entries.count < Self.limit else { throw .tooManyCertificates }
                for index in signerIndexes.indices
                where signerIndexes[index] == nil && certificate.isNamed(by: references.identifier(at: index)) {
                    signerIndexes[index] = entries.count
                }
                entries.append(EncodedCertificate(certificate))
            }
            guard certificate.hasMatchingAlgorithms else { throw .certificateShell }
        } catch {
            deviation = deviation ?? error
        }
    }

    /// The DER of each certificate.
    var encodings: [[UInt8]] { entries.map(\.encoding) }

    /// Returns the DER of each certificate, that of this one first.
    func encodings(beginningWith index: Int) -> [[UInt8]] {
        var others = encodings
        return [others.remove(at: index)] + others
    }
}
