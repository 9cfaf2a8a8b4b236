import Encodings

/// A receipt as Xcode's local test store makes them: one self-signed certificate, BER, and few attributes.
///
/// No auditor that trusts only App Store roots may call one valid; all must be able to read it.
public enum XcodeReceipt {
    /// Alters a receipt's content into what Xcode writes.
    public static func content(from receipt: ReceiptContent) -> ReceiptContent {
        receipt.with { content in
            content.environment = "Xcode"
            content.appItemID = 0
            content.opaqueValue = Array(content.opaqueValue.prefix(8))
            content.downloadedAt = nil
            content.expiresAt = .utc(4001)
            let absent = [6, 7, 9, 10, 11, 13, 14, 15, 16, 18, 19, 20, 25]
            content.edits += absent.map { .leaveOut($0) } + [.version(4, 1)]
        }
    }

    /// The whole receipt.
    public static func bytes(_ receipt: ReceiptContent) throws(SigningError) -> [UInt8] {
        let signer = try SampleIdentity(selfSigned: certificate)
        let content = content(from: receipt).der
        let signature = try signer.key.signature(over: content, digest: .sha256)
        var container = SignedDataContent(content, signer: signer, digest: .sha256, signature: signature)
        container.signerInfos[0].signatureAlgorithm = SampleDigest.sha256.signatureAlgorithm
        container.encoding = .indefinite(pieces: 1 << 16)
        return container.encoded
    }

    private static var certificate: CertificateContent {
        CertificateContent(
            DistinguishedName("Sample Test Store", organization: "Sample Test Store"), serialNumber: 1,
            notBefore: .utc(2020), notAfter: .utc(2040), key: .developer
        ).with { $0.isAuthority = true }
    }
}
