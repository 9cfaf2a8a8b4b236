import DER
import Encodings
import Proofs

/// An object that was sent instead of a proof, and that no reader would take for one: Apple signs many kinds.
public struct OtherObject: Equatable, Sendable {
    /// The kinds that can be told. Raw values complete the sentence “It is …”.
    public enum Kind: String, CaseIterable, Sendable {
        case appAttestReceipt = "an App Attest receipt"
        case provisioningProfile = "a provisioning profile"
        case configurationProfile = "a configuration profile"
        case propertyList = "a signed property list"
        case pass = "the signature of a pass"
        case applePay = "the signature of an Apple Pay token"
        case codeSignature = "the signature of an app"
        case signature = "a signature without its content"
        case json = "signed JSON"
        case certificate = "a certificate"
        case token = "a token of another kind"
        case signedData = "signed data of another kind"
    }

    public let kind: Kind
    /// The signer's certificate in DER, if its chain ends at a trust anchor and the signature holds; otherwise empty.
    public let signer: [UInt8]

    /// Whether a trusted authority signed it.
    public var isTrusted: Bool { !signer.isEmpty }
}

extension OtherObject {
    /// A PKCS #7 object.
    ///
    /// - Parameters:
    ///   - signed: the object, if a trusted authority signed it.
    ///   - content: what is signed; empty if it is not there.
    init(_ signed: SignedObject?, content: Span<UInt8>) {
        signer = signed?.signer ?? []
        kind = signed.flatMap(Kind.init(signer:)) ?? Kind(content: content.extracting(first: Kind.maxExamined))
    }

    /// A token whose payload is no proof.
    init(_ token: SignatureVerdict) {
        kind = .token
        signer = token.isTrusted ? token.chain.certificates.first ?? [] : []
    }

    /// A certificate by itself, which a trust anchor signed.
    init(certificate: SignedObject) {
        kind = .certificate
        signer = certificate.signer
    }
}

extension OtherObject.Kind {
    fileprivate static let maxExamined = 64 << 10

    /// Recognizes the purpose of the signer's certificate, if only one kind of object is signed with it.
    fileprivate init?(signer object: SignedObject) {
        if object.hasMarker(Self.passMarker) {
            self = .pass
        } else if object.hasMarker(Self.applePayMarker) {
            self = .applePay
        } else if object.isDetached {
            self = Self.codeMarkers.contains(where: object.hasMarker) ? .codeSignature : .signature
        } else {
            return nil
        }
    }

    /// Recognizes what is signed.
    fileprivate init(content: Span<UInt8>) {
        func has(_ words: [String]) -> Bool {
            words.contains { content.firstIndex(of: Array($0.utf8), from: 0) != nil }
        }
        if content.starts(with: Array("bplist".utf8)) || content.first(upTo: 200, has: "<plist") {
            self =
                has(Self.ofProvisioning)
                ? .provisioningProfile : has(["PayloadType"]) ? .configurationProfile : .propertyList
        } else if content.count > 0, content[0] == 0x31, has(["ATTEST", "RECEIPT"]) {
            self = .appAttestReceipt
        } else if content.count > 0, content[0] == UInt8(ascii: "{") {
            self = .json
        } else {
            self = .signedData
        }
    }

    /// Keys that only provisioning profiles have.
    private static let ofProvisioning = ["DeveloperCertificates", "ProvisionedDevices", "ProvisionsAllDevices"]

    // Extensions by which Apple marks certificates (Worldwide Developer Relations Certification Practice Statement).

    /// 1.2.840.113635.100.6.1.16: Pass Type ID.
    private static let passMarker = ObjectIdentifier.apple + [0x06, 0x01, 0x10]
    /// 1.2.840.113635.100.6.29: signs payment tokens (PassKit, “Payment token format reference”).
    private static let applePayMarker = ObjectIdentifier.apple + [0x06, 0x1d]
    /// 1.2.840.113635.100.6.1 and one number: signs apps, as a developer or as Apple.
    private static let codeMarkers = [0x02, 0x04, 0x07, 0x0c, 0x0d].map { ObjectIdentifier.apple + [0x06, 0x01, $0] }
}

extension Span<UInt8> {
    fileprivate func first(upTo count: Int, has word: String) -> Bool {
        extracting(first: count).firstIndex(of: Array(word.utf8), from: 0) != nil
    }
}
