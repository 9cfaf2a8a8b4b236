import Corpus
import DER
import Encodings
import Inputs
import SampleStore

/// Up to 8 MiB that are cheap to write and may be dear to read; half a megabyte where only a sample of tests is run.
enum Bomb: String, CaseIterable {
    case nestedSequences, nestedIndefinitely, nestedStrings, nestedContent, contentInCrumbs, tinySequences
    case manyDigestAlgorithms, manyCertificates, manySmallCertificates, largeCertificates, manyRevocationLists
    case manySigners, manySignedAttributes
    case manyAttributes, manyPurchases, wideNumber, longText, largeContent
    case longHeader, endsOfContents

    /// Whether it is a receipt all the same: large, and nothing wrong with it.
    var isGenuine: Bool {
        switch self {
        case .manyAttributes, .manyPurchases, .wideNumber, .longText, .largeContent: true
        default: false
        }
    }

    /// The size of what fills a container, in bytes: the rest of the limit is for the container.
    private static let size = count(of: ReceiptLimit.bytes) - 8192

    /// The number of parts of a bomb: as many as make 8 MiB, or a sixteenth of them in a sample.
    private static func count(of all: Int) -> Int { Exhaustive.count(all, sampled: all / 16) }

    func bytes(signedBy authority: PrivateAuthority) throws -> [UInt8] {
        var container = try authority.sign(Samples.receipt, digest: .sha1)
        switch self {
        case .nestedSequences: return Self.header + Self.nest(0x30, Self.count(of: 1_500_000))
        case .nestedIndefinitely: return Self.header + Self.repeating([0x30, 0x80])
        case .nestedStrings: return Self.header + Self.repeating([0x24, 0x80])
        case .nestedContent:
            return Self.header + Self.prologue + [0x30, 0x80, 0x06, 0x09] + ObjectIdentifier.data + [0xa0, 0x80]
                + Self.repeating([0x24, 0x80])
        case .contentInCrumbs:
            container.content =
                Samples.receipt.with { $0.opaqueValue = [UInt8](repeating: 7, count: Self.count(of: 2_500_000)) }.der
            container.encoding = .indefinite(pieces: 1)
        case .tinySequences: return Self.header + Self.prologue + Self.repeating([0x30, 0x00])
        case .manyDigestAlgorithms:
            container.content = [UInt8](repeating: 7, count: Self.count(of: 4 << 20))
            container.digestAlgorithms = .init(repeating: container.digestAlgorithms[0], count: Self.count(of: 300_000))
        case .manyCertificates:
            container.certificates = .init(repeating: authority.root.certificate, count: Self.count(of: 9000))
            container.certificates += authority.certificates
        case .manySmallCertificates:
            container.certificates = .init(repeating: Self.smallCertificate, count: Self.count(of: 40_000))
        case .largeCertificates:
            let names = Self.repeating([0x82, 0x01, 0x61]).prefix(Self.count(of: 1_000_000))
            container.certificates = .init(repeating: Self.certificate(names: Array(names)), count: 7)
            container.certificates += authority.certificates
        case .manyRevocationLists: container.crls = .init(repeating: Self.emptyList, count: Self.count(of: 150_000))
        case .manySigners:
            container.signerInfos = .init(repeating: container.signerInfos[0], count: Self.count(of: 20_000))
        case .manySignedAttributes:
            let attribute = SignerInfoContent.attribute(SampleOID.signingDescription, DERWriter.null)
            container.signerInfos[0].signedAttributes = .init(repeating: attribute, count: Self.count(of: 350_000))
        case .manyAttributes:
            let edits = [AttributeEdit](
                repeating: .add(AttributeContent(99, value: [])), count: Self.count(of: 800_000))
            return try authority.receipt(Samples.receipt.with { $0.edits = edits })
        case .manyPurchases:
            let purchase = Samples.receipt.purchases[0].with { purchase in
                purchase.edits = purchase.attributes.map(\.type).filter { !(1702...1704).contains($0) }
                    .map { .leaveOut($0) }
            }
            return try authority.receipt(
                Samples.receipt.with { $0.purchases = .init(repeating: purchase, count: Self.count(of: 60_000)) })
        case .wideNumber:
            let number = DERWriter.element(.integer, [UInt8](repeating: 1, count: Self.size))
            return try authority.receipt(Samples.receipt.with { $0.edits = [.replace(9, with: number)] })
        case .longText:
            return try authority.receipt(
                Samples.receipt.with { $0.originalAppVersion = String(repeating: "é", count: Self.size / 2) })
        case .largeContent:
            return try authority.receipt(
                Samples.receipt.with { $0.attribute6 = [UInt8](repeating: 7, count: Self.size) }, digest: .sha1)
        case .longHeader: return [0x30, 0x84, 0x00, 0x7f, 0xff, 0x00, 0x06, 0x83, 0x7f, 0xfe, 0x00] + Self.zeros
        case .endsOfContents: return Self.header + Self.zeros
        }
        return container.encoded
    }

    private static let header = [0x30, 0x80, 0x06, 0x09] + ObjectIdentifier.signedData + [0xa0, 0x80]
    private static let prologue: [UInt8] = [0x30, 0x80, 0x02, 0x01, 0x01, 0x31, 0x00]
    private static let zeros = [UInt8](repeating: 0, count: size)

    private static func repeating(_ bytes: [UInt8]) -> [UInt8] {
        Array(repeatElement(bytes, count: size / bytes.count).joined())
    }

    /// Elements inside each other, with definite lengths: written from the end, inside out.
    private static func nest(_ tag: UInt8, _ depth: Int) -> [UInt8] {
        var reversed: [UInt8] = []
        for _ in 0..<depth where reversed.count < size {
            let count = reversed.count
            var rest = count
            var octets: [UInt8] = []
            repeat {
                octets.append(UInt8(truncatingIfNeeded: rest))
                rest >>= 8
            } while rest > 0
            reversed += octets
            if count >= 0x80 { reversed.append(0x80 | UInt8(octets.count)) }
            reversed.append(tag)
        }
        return reversed.reversed()
    }

    /// The least that a decoder takes for a certificate.
    private static var smallCertificate: [UInt8] { certificate(names: nil) }

    /// A certificate that nobody signed; with alternative names, if they are given.
    private static func certificate(names: [UInt8]?) -> [UInt8] {
        let algorithm = SampleDigest.sha1.signatureAlgorithm.der
        let time = DERWriter.element(.utcTime, Array("190101000000Z".utf8))
        let extensions =
            names.map { names in
                DERWriter.element(
                    .context3,
                    DERWriter.element(
                        .sequence,
                        DERWriter.element(
                            .sequence, DERWriter.element(.objectIdentifier, [0x55, 0x1d, 0x11]),
                            DERWriter.element(.octetString, DERWriter.element(.sequence, names)))))
            } ?? []
        let toBeSigned = DERWriter.element(
            .sequence, DERWriter.element(.context0, DERWriter.integer(2)), DERWriter.integer(1), algorithm,
            DERWriter.element(.sequence), DERWriter.element(.sequence, time, time), DERWriter.element(.sequence),
            DERWriter.element(.sequence, algorithm, DERWriter.element(.bitString, [0, 1])), extensions)
        return DERWriter.element(.sequence, toBeSigned, algorithm, DERWriter.element(.bitString, [0, 1]))
    }

    private static var emptyList: [UInt8] {
        let algorithm = SampleDigest.sha1.signatureAlgorithm.der
        let time = DERWriter.element(.utcTime, Array("190101000000Z".utf8))
        let toBeSigned = DERWriter.element(.sequence, algorithm, DERWriter.element(.sequence), time)
        return DERWriter.element(.sequence, toBeSigned, algorithm, DERWriter.element(.bitString, [0, 1]))
    }
}
