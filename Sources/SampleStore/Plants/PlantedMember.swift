/// One claim of a planted cluster before it is signed.
struct PlantedMember {
    /// What the file is.
    enum Form {
        /// A receipt of the store.
        case genuine
        /// One whose content was exchanged after signing.
        case altered(ReceiptContent)
        case rogue
        case expired
        case developer
        /// One without the signer's certificate.
        case signerless
        case rewrapped(ContainerDeviation)
        case xcode
        /// No receipt at all.
        case bytes([UInt8])
    }

    var draft: ClaimDraft
    var form = Form.genuine
    /// The device that the row names. The receipt may be another's.
    var device: SampleDevice

    init(draft: ClaimDraft) {
        self.draft = draft
        device = draft.receipt.device
    }

    /// The bytes of the file.
    func file(by authorities: SampleAuthorities) throws(SigningError) -> [UInt8] {
        switch form {
        case .genuine: try container(authorities.genuine)
        case .rogue: try container(authorities.rogue)
        case .expired: try container(authorities.expired)
        case .developer: try container(authorities.developer)
        case .altered(let content): try container(authorities.genuine) { $0.content = content.der }
        case .signerless: try container(authorities.genuine) { $0.certificates.removeFirst() }
        case .rewrapped(let deviation):
            draft.encoded(
                try deviation.container(signing: draft.receipt.der, by: authorities.genuine, digest: draft.digest))
        case .xcode: draft.encoded(try XcodeReceipt.bytes(draft.receipt))
        case .bytes(let bytes): bytes
        }
    }

    private func container(
        _ signer: PrivateAuthority, change: (inout SignedDataContent) -> Void = { _ in }
    ) throws(SigningError) -> [UInt8] {
        var container = try SignedDataContent(signing: draft.receipt.der, by: signer, digest: draft.digest)
        change(&container)
        return draft.encoded(container.encoded)
    }
}
