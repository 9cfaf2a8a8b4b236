import DER
import Encodings
import Inputs
import Proofs
import Receipts

/// Details about the input, and the container in it.
extension Explanation {
    var inputFault: String {
        guard case .input(let fault) = facts.fault, let first = fault.reason.first else { return "It cannot be read." }
        // A reason is a predicate, such as `is a folder`, or a message, such as `Permission denied`.
        let isPredicate = fault.reason.lowercased().hasPrefix("is ")
        return (isPredicate ? "It " + first.lowercased() : first.uppercased()) + fault.reason.dropFirst() + "."
    }

    /// What an object of another kind is, and whether it is trusted.
    var failureOfOtherObject: String {
        guard let object = facts.otherObject else { return "" }
        let what = "It is \(object.kind.rawValue), not a proof of purchase"
        guard object.isTrusted else { return what + ", and no signature of a trusted authority holds over it." }
        if object.kind == .certificate { return what + ". A trust anchor signed it." }
        let signer = certificates.first.map { ", the signer is \(name($0))," } ?? ""
        return what + ". Its signature holds\(signer) and the chain ends at a trust anchor."
    }

    /// What the original bytes look like.
    var appearanceOfOriginal: String {
        if let seen = SeenValue(original.span), seen.form != .bytes { return "they look like \(seen.noun)" }
        let first = original.prefix(8)
        return "they begin with \(Hex.string(Array(first).span))" + (original.count > first.count ? "…" : "")
    }

    var malformedContainer: String {
        let start = "The container is malformed or truncated"
        switch facts.fault {
        case .container(.encoding(let error)):
            if case .truncated = error { return "\(start): \(text(error))." }
            return "\(start): \(error)."
        case .container(.malformed(let reason)): return "\(start): \(reason)."
        case .container, .otherObject, .token, .payload, .input, .empty, .receipt, .incompleteReceipt, nil:
            return start + "."
        }
    }

    var noncanonicalContainer: String {
        let hint = facts.environment == "Xcode" ? " Xcode's local test receipts have this form." : ""
        let start = "It is not in the form that Apple writes"
        return (deviation.map { "\(start): \($0)." } ?? "\(start).") + hint
    }

    /// The deviation from the strict form, with its position in the container if there is one.
    var deviation: String? {
        guard let deviation = facts.signature?.deviation else { return nil }
        guard case .container(.encoding(let error)) = deviation else { return deviation.description }
        return text(error)
    }

    /// Describes an error in the container's encoding, with the position of the element.
    private func text(_ error: DERError) -> String {
        switch error {
        // The length octets come after the one octet of the identifier.
        case .badLength(let position) where container.indices.contains(position) && container[position] == 0x80:
            "the element at byte \(position - 1) has BER's indefinite length, which DER forbids"
        case .badLength(let position): "the length of the element at byte \(position - 1) is not in its shortest form"
        case .truncated(let position): "the element at byte \(position) is truncated"
        case .unexpectedTag, .leftOver, .badInteger, .beyondLimits: error.description
        }
    }
}

/// Details about the signature, and the signer's chain of certificates.
extension Explanation {
    /// The reason why a signature was not checked.
    var uncheckedSignature: String {
        guard case .notChecked(let obstacle)? = facts.signature?.signature else { return "" }
        return switch obstacle {
        case .noSignature: "It is not signed."
        case .noCertificate: "There is no certificate to check it with."
        case .costlyKey:
            "The signer's chain is not trusted, and its key is larger than Apple's: such keys are not used."
        }
    }

    var brokenSignature: String {
        switch facts.signature?.flaw {
        case .otherAlgorithm?: "The signature was made with an algorithm that receipts are not signed with."
        case .signedAttributes?: "The signature is over signed attributes, not over the content."
        case nil:
            "The signature does not hold over the content: "
                + "one of them was altered, or another key signed (\(digestName))."
        }
    }

    /// Which of several SignerInfos the checks are about, with a leading blank.
    var whichSignerInfo: String {
        guard let info = facts.signature?.signerInfo, info.count > 1 else { return "" }
        if facts.isSigned { return " It belongs to SignerInfo \(info.index + 1) of \(info.count)." }
        let first = " It belongs to the first of \(info.count) SignerInfos"
        return info.examined == info.count
            ? "\(first), none of which is Apple's."
            : "\(first); none of the first \(info.examined) is Apple's, and the others are not examined."
    }

    var digestName: String {
        switch facts.signature?.digestAlgorithm {
        case .sha1?: "RSA with SHA-1"
        case .sha256?: "RSA with SHA-256"
        case nil: "a digest algorithm that Apple does not use"
        }
    }

    var createdText: String { facts.createdAt?.description ?? "" }

    var certificatesText: String {
        certificates.isEmpty ? "it holds none" : "it holds " + certificates.map(name).joined(separator: ", ")
    }

    var signerName: String {
        guard let signer = certificates.first else { return "known" }
        return "\(name(signer)), serial number \(signer.serialNumber)"
    }

    func name(_ certificate: CertificateDescription) -> String { quoted(certificate.subjectName) }

    var untrustedChain: String {
        var text = "The chain does not end at a trust anchor"
        if case .untrusted(let reason)? = facts.signature?.chain.trust { text += "; OpenSSL says: \(reason)" }
        if let signer = certificates.first {
            text +=
                signer.isSelfIssued
                ? ". The signer \(name(signer)) is self-signed"
                : ". The signer is \(name(signer)), issued by \(quoted(signer.issuerName))"
        }
        return text + "."
    }

    /// The certificates that were not valid, with their validity.
    var expiredChain: String {
        guard let date = facts.createdAt else { return "" }
        let faults = certificates.compactMap { certificate in
            if date < certificate.notBefore {
                return "\(name(certificate)) became valid only on \(certificate.notBefore)"
            }
            return date < certificate.notAfter.adding(seconds: 1)
                ? nil : "\(name(certificate)) had expired on \(certificate.notAfter)"
        }
        let text = faults.isEmpty ? "a certificate was not valid" : faults.joined(separator: ", and ")
        return "When the \(proof) was \(facts.format == .token ? "signed" : "created"), on \(createdText), \(text)."
    }

    var missingMarker: String {
        guard case .trusted(_, let marking)? = facts.signature?.chain.trust else { return "" }
        switch marking {
        case .appStore: return ""
        case .noLeafMarker:
            return "The signer \(certificates.first.map(name) ?? "") lacks the marker of receipt signing, "
                + "1.2.840.113635.100.6.11.1: a certificate for another purpose, such as a developer's."
        case .noIntermediateMarker:
            let intermediate = certificates.dropFirst().first.map(name) ?? ""
            return "The intermediate \(intermediate) lacks Apple's marker 1.2.840.113635.100.6.2.1."
        case .chainLength(let count):
            return "The chain is of \(counted(count, "certificate")), where Apple's is leaf, intermediate and root."
        }
    }
}

/// Details about the receipt, compared with the claim.
extension Explanation {
    func mismatch(_ claimed: ExactText, _ found: ExactText?, else fault: String) -> String {
        let found = found ?? ""
        return claimed.isEmpty || found == claimed
            ? "The \(proof)'s \(quoted(found)) \(fault)."
            : "\(quoted(claimed)) was claimed, but the \(proof)'s is \(quoted(found))\(difference(claimed, found))."
    }

    /// Describes the difference between two texts that may look alike: the first unequal scalars, if one is not ASCII.
    private func difference(_ claimed: ExactText, _ found: ExactText) -> String {
        let scalars = zip(claimed.text.unicodeScalars, found.text.unicodeScalars)
        guard let index = scalars.enumerated().first(where: { $1.0 != $1.1 }),
            !index.element.0.isASCII || !index.element.1.isASCII
        else { return "" }
        let (first, second) = index.element
        return ": character \(index.offset + 1) is \(codePoint(first)) in the one, \(codePoint(second)) in the other"
    }

    /// Writes `U+212A`.
    private func codePoint(_ scalar: Unicode.Scalar) -> String {
        "U+" + Hex.digits(scalar.value, count: 4).uppercased()
    }

    var deviceHashMismatch: String {
        let hash = facts.deviceHashInput?.hash ?? []
        let expected = Hex.string(hash.span)
        let computed = deviceHashes.map { "that of \($0.device) would be \(Hex.string($0.octets.span))" }
        return "The receipt's device hash is \(expected), but \(computed.joined(separator: ", and "))."
    }

    var malformedReceipt: String {
        guard let error = facts.receiptError else {
            return "It says that it was created on \(createdText), more than a day after \(expectations.asOf)."
        }
        let start = facts.purchaseCount == nil ? "The content is not a receipt" : "The receipt is malformed"
        guard let attributes else { return "\(start): \(error)." }
        return "\(start): \(text(error, in: attributes))."
    }

    var malformedPurchase: String {
        guard let error = facts.purchaseError else { return "A purchase cannot be read." }
        let purchases = attributes?.attributes.filter { $0.type == AttributeType.inAppPurchase.rawValue } ?? []
        guard let index = purchases.firstIndex(where: { !Self.isPurchase($0.octets) }) else {
            return "A purchase cannot be read: \(error)."
        }
        let octets = purchases[index].octets
        let fault = text(error, in: AttributeListing(ofPurchase: octets.span))
        return "Purchase \(index + 1) of \(purchases.count) cannot be read: \(fault)."
    }

    private static func isPurchase(_ octets: [UInt8]) -> Bool {
        do throws(ReceiptError) {
            _ = try Purchase(parsing: octets.span)
            return true
        } catch {
            return false
        }
    }

    /// Describes a malformed attribute, with names, bytes and positions.
    private func text(_ error: ReceiptError, in listing: AttributeListing) -> String {
        switch error {
        case .encoding(let error):
            guard let first = listing.unreadable.first else { return "\(error)" }
            guard first.position == 0 else {
                let reason = attributeText(first.reason)
                return "its element at byte \(first.position) is not an attribute: it \(reason)"
            }
            if let seen = SeenValue(first.octets.span), seen.form != .bytes { return "it looks like \(seen.noun)" }
            return "it is not a SET of attributes in DER: it \(attributeText(first.reason))"
        case .value(let type, let fault):
            let octets = listing.attributes.first { $0.type == type }?.octets ?? []
            let first = Hex.string(Array(octets.prefix(24)).span) + (octets.count > 24 ? "…" : "")
            return "\(attributeName(type)) is malformed: \(attributeText(fault)) (its octets are \(first))"
        case .missing(let type): return "\(attributeName(type)) is missing, or empty"
        case .repeated(let type): return "\(attributeName(type)) occurs twice"
        }
    }

    private func attributeName(_ type: Int) -> String {
        let name = AttributeType(rawValue: type)?.name ?? PurchaseAttributeType(rawValue: type)?.name
        return "attribute \(type)" + (name.map { ", \($0)," } ?? "")
    }

    private func attributeText(_ fault: AttributeFault) -> String {
        switch fault {
        case .encoding(.unexpectedTag): "an element of another type"
        case .encoding(let error): "an element that \(attributeText(error))"
        case .notText, .notADate, .notAHash: fault.description
        }
    }

    /// Describes the error without the position, which is relative to an inner element.
    private func attributeText(_ error: DERError) -> String {
        switch error {
        case .truncated: "is truncated"
        case .badLength: "has a length that is not in DER form"
        case .unexpectedTag: "is or contains an element of another type"
        case .leftOver: "has leftover bytes"
        case .badInteger: "contains a number that is not in DER form"
        case .beyondLimits: "contains too many elements, or nests them too deeply"
        }
    }
}
