import DER
public import Encodings

/// The parts from which the cases are made: a private store, one receipt, and a forger with other keys.
///
/// Made once, used by all cases. Everything is fixed: keys, dates and names; RSA signatures with the padding of PKCS #1
/// version 1.5 are deterministic, and those on curves are made so.
public struct AttackKit: Sendable {
    /// The trusted store.
    public let store: PrivateAuthority
    /// A forger with the same names, serial numbers and markers, but other keys.
    let rogue: PrivateAuthority
    /// The store's authority for tokens, which is trusted where a token is presented.
    public let tokens: TokenAuthority
    /// The forger's authority for tokens.
    let rogueTokens: TokenAuthority

    public init() throws(SigningError) {
        store = try PrivateAuthority()
        rogue = try .rogue()
        tokens = try TokenAuthority()
        rogueTokens = try .rogue()
    }

    /// The reference time of every case, unless it has another.
    public static let asOf = Instant.utc(2026, 6, 30)
    /// The creation date of the receipt.
    static let createdAt = Instant.utc(2024, 3, 1)
    static let device = SampleDevice.vendorIdentifier([
        0x6f, 0x96, 0x19, 0xff, 0x8b, 0x86, 0x4d, 0x01, 0xb4, 0x2d, 0x00, 0xcf, 0x4f, 0xc9, 0x64, 0xff,
    ])
    static let bundleID = "com.example.notes"

    /// The receipt that every case alters: one app, one device, one purchase.
    var receipt: ReceiptContent {
        ReceiptContent(bundleID: Self.bundleID, device: Self.device, createdAt: Self.createdAt).with {
            $0.appVersion = "7"
            $0.purchases = [
                PurchaseContent(
                    .nonConsumable, productID: "com.example.notes.pro", transactionID: "460000000000001",
                    purchasedAt: .utc(2024, 2, 1))
            ]
        }
    }

    /// Returns the receipt with changes.
    func receipt(_ change: (inout ReceiptContent) -> Void) -> ReceiptContent { receipt.with(change) }

    /// The receipt with one more purchase, which the store never sold.
    var richerReceipt: ReceiptContent {
        receipt {
            $0.purchases.append(
                PurchaseContent(
                    .nonConsumable, productID: "com.example.notes.everything", transactionID: "460000000000002",
                    purchasedAt: .utc(2024, 2, 2)))
        }
    }

    /// Returns an unencoded container that signs some content, by default by the trusted store.
    func signed(
        _ content: [UInt8]? = nil, by authority: PrivateAuthority? = nil, digest: SampleDigest = .sha256
    ) throws(SigningError) -> SignedDataContent {
        try SignedDataContent(signing: content ?? receipt.der, by: authority ?? store, digest: digest)
    }

    /// Returns the container that the store signs, changed before it is encoded.
    func signed(_ change: (inout SignedDataContent) throws -> Void) throws -> [UInt8] {
        var container = try signed()
        try change(&container)
        return container.encoded
    }

    /// Returns the container that the store signs, changed after it is encoded.
    func edited(_ change: (inout DERTree) throws -> Void) throws -> [UInt8] {
        var tree = try DERTree(parsing: try signed().encoded)
        try change(&tree)
        return tree.encoded
    }

    /// Returns the receipt's SET, changed after it is encoded, in a container that the store signs.
    func signedSet(_ change: (inout DERTree) -> Void) throws -> [UInt8] {
        var tree = try DERTree(parsing: receipt.der)
        change(&tree)
        return try signed(tree.encoded).encoded
    }

    /// Returns a container of the store's with the receipt changed before it is signed.
    func signedReceipt(_ change: (inout ReceiptContent) -> Void) throws(SigningError) -> [UInt8] {
        try signed(receipt(change).der).encoded
    }

    /// Returns a container of the store with a signature that was made in another way.
    func signed(withSignature signature: [UInt8]) throws -> [UInt8] {
        try signed { $0.signerInfos[0].signature = signature }
    }

    /// Returns a store with the same root and other certificates below it. Its leaf signs its receipts.
    func store(
        root: CertificateContent = .root, intermediates: [CertificateContent] = [.intermediate],
        leaf: CertificateContent = .leaf
    ) throws(SigningError) -> PrivateAuthority {
        try PrivateAuthority(root: root, intermediates: intermediates, leaf: leaf)
    }

    /// Returns the receipt signed by a store with another leaf.
    func signedWith(leaf change: (inout CertificateContent) -> Void) throws(SigningError) -> [UInt8] {
        try signed(by: store(leaf: .leaf.with(change))).encoded
    }

    /// Returns the receipt signed by a store with another intermediate.
    func signedWith(intermediate change: (inout CertificateContent) -> Void) throws(SigningError) -> [UInt8] {
        try signed(by: store(intermediates: [.intermediate.with(change)])).encoded
    }

    /// Returns a claim with these bytes, from the receipt's device and to the receipt's app.
    func claim(_ proof: [UInt8]) -> AttackClaim {
        AttackClaim(
            proof: proof, deviceID: Self.device.text, bundleID: Self.bundleID,
            trustAnchors: [store.root.certificate], asOf: Self.asOf)
    }

    /// Returns a claim with this text instead of the container's bytes.
    func claim(text: String) -> AttackClaim { claim(Array(text.utf8)).with { $0.isText = true } }
}

/// The paths of the parts of a container in its tree of elements (RFC 5652, section 5.1).
enum Place {
    static let contentInfo: [Int] = []
    static let explicitSignedData = [1]
    static let signedData = [1, 0]
    static let version = signedData + [0]
    static let digestAlgorithms = signedData + [1]
    static let encapsulatedContent = signedData + [2]
    static let explicitContent = encapsulatedContent + [1]
    static let content = explicitContent + [0]
    static let certificates = signedData + [3]
    static let signerInfos = signedData + [4]
    static let signerInfo = signerInfos + [0]
    static let identifier = signerInfo + [1]
    static let serialNumber = identifier + [1]
    static let digestAlgorithm = signerInfo + [2]
    static let signatureAlgorithm = signerInfo + [3]
    static let signature = signerInfo + [4]
}

extension DERTree {
    /// Adds an element after the last one inside the element at a path.
    mutating func append(_ element: DERTree, in path: [Int]) {
        edit(at: path) { $0.children.append(element) }
    }

    /// A `NULL`, which is not allowed where a case adds it.
    static var null: DERTree { DERTree(.null, [UInt8]()) }
}
