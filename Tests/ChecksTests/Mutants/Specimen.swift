import DER
import SampleStore

/// A proof in the strict form, taken apart so that it can be changed.
struct Specimen {
    let name: String
    let bytes: [UInt8]
    let tree: DERTree
    /// The paths of all elements but those inside certificates, and of those alone.
    let paths: [[Int]]
    let certificatePaths: [[Int]]
    let certificates: [CertificateParts]

    /// `nil` if the bytes are not laid out as a container in the strict form is.
    init?(name: String, bytes: [UInt8]) {
        guard let tree = try? DERTree(parsing: bytes), tree[Field.signature] != nil,
            let bag = tree[Field.certificates]
        else { return nil }
        self.name = name
        self.bytes = bytes
        self.tree = tree
        let paths = tree.paths
        self.paths = paths.filter { !$0.starts(with: Field.certificates) || $0.count <= Field.certificates.count + 1 }
        certificatePaths = paths.filter { $0.count > Field.certificates.count && $0.starts(with: Field.certificates) }
        certificates = bag.children.compactMap { CertificateParts($0) }
    }

    /// Whether this is its signature over its content.
    func signed(_ content: [UInt8], _ signature: [UInt8]) -> Bool {
        tree[Field.signature]?.octets == signature && tree[Field.content]?.octets == content
    }

    /// The parts of the certificate that signed.
    var signer: CertificateParts? {
        guard let identifier = tree[Field.identifier], identifier.children.count == 2 else { return nil }
        return certificates.first { [$0.issuer, $0.serialNumber] == identifier.children }
    }
}

/// Where the fields of a container in the strict form stand.
enum Field {
    static let signedData = [1, 0]
    static let version = [1, 0, 0]
    static let digestAlgorithms = [1, 0, 1]
    static let encapsulated = [1, 0, 2]
    static let contentType = [1, 0, 2, 0]
    static let explicitContent = [1, 0, 2, 1]
    static let content = [1, 0, 2, 1, 0]
    static let certificates = [1, 0, 3]
    static let signerInfos = [1, 0, 4]
    static let signerInfo = [1, 0, 4, 0]
    static let signerVersion = [1, 0, 4, 0, 0]
    static let identifier = [1, 0, 4, 0, 1]
    static let digestAlgorithm = [1, 0, 4, 0, 2]
    static let signatureAlgorithm = [1, 0, 4, 0, 3]
    static let signature = [1, 0, 4, 0, 4]
}

/// The parts of a certificate (RFC 5280, section 4.1), read with the tree alone.
struct CertificateParts {
    let tree: DERTree
    /// What its issuer signs, whole, and the AlgorithmIdentifier in it.
    let toBeSigned: DERTree
    let algorithm: DERTree
    let issuer: DERTree
    let serialNumber: DERTree
    let subject: DERTree
    let publicKeyInfo: DERTree
    /// The bytes of the issuer's signature.
    let signature: [UInt8]
    /// The bytes of the extension subjectKeyIdentifier.
    let keyIdentifier: [UInt8]?
    /// The modulus of the key that it is about, most significant byte first.
    let modulus: [UInt8]?

    init?(_ encoding: [UInt8]) {
        guard let tree = try? DERTree(parsing: encoding) else { return nil }
        self.init(tree)
    }

    init?(_ tree: DERTree) {
        // The version comes first if it is not 1.
        let offset = tree[[0, 0]]?.tag == DERTag.context0.rawValue ? 1 : 0
        guard tree.children.count > 2, tree.children[0].children.count > offset + 5 else { return nil }
        let fields = Array(tree.children[0].children.dropFirst(offset))
        self.tree = tree
        toBeSigned = tree.children[0]
        serialNumber = fields[0]
        algorithm = fields[1]
        issuer = fields[2]
        subject = fields[4]
        publicKeyInfo = fields[5]
        signature = Array(tree.children[2].octets.dropFirst())
        let key = try? DERTree(parsing: publicKeyInfo.encoded, openingStrings: true)
        modulus = key?[[1, 0, 0]].map { Array($0.octets.drop { $0 == 0 }) }
        let extensions = fields.last?[[0]]?.children ?? []
        let identifier = DERTree(.objectIdentifier, ObjectIdentifier.subjectKeyIdentifier)
        let value = extensions.first { $0.children.first == identifier }?.children.last
        keyIdentifier = value.flatMap { try? DERTree(parsing: $0.octets) }?.octets
    }
}
