import DER
import Encodings
import Inputs
import Proofs
import Receipts

/// The file and the container in it.
extension Explanation {
    func containerSuccess(of check: Check) -> String {
        switch check {
        case .receiptNotFound: "It was found."
        case .receiptUnreadable: "It was read."
        case .receiptEmpty: "There are \(counted(original.count, "byte"))."
        case .unknownFormat: "The bytes are a PKCS #7 container."
        case .malformedContainer: "The container can be decoded."
        case .notSigned: "It is of the kind signedData."
        case .noContent: "There is an embedded content of type data."
        default: "The container is in the one form that Apple writes."
        }
    }

    func containerFailure(of check: Check) -> String {
        switch check {
        case .rowMalformed, .receiptNotFound, .receiptUnreadable:
            if case .input(let fault) = facts.fault { return sentence(fault.reason) }
            return "It cannot be read."
        case .receiptEmpty: return "There are no bytes."
        case .unknownFormat: return "The bytes are neither DER nor base64 of a PKCS #7 container; \(looks)."
        case .malformedContainer: return malformedContainer
        case .notSigned: return "It is PKCS #7 of another kind than signedData."
        case .noContent: return "It is signedData, but without an embedded content of type data."
        default: return noncanonicalContainer
        }
    }

    /// What the bytes look like, as far as that can be told.
    private var looks: String {
        if let format = ForeignFormat(sniffing: original) { return "they look like \(format)" }
        let first = original.prefix(8)
        return "they begin with \(Hex.string(Array(first).span))" + (original.count > first.count ? "…" : "")
    }

    private var malformedContainer: String {
        let start = "The container is broken or cut short"
        if let flaw = EncodingFlaw(in: container.span), flaw.kind == .cutShort { return "\(start): \(flaw)." }
        guard case .container(.malformed(let reason)) = facts.fault else { return start + "." }
        return "\(start): \(reason)."
    }

    private var noncanonicalContainer: String {
        let isXcode = facts.environment == "Xcode"
        let hint = isXcode ? " Xcode's local test receipts are like this." : ""
        let start = "It is not in the form that Apple writes"
        return (deviation.map { "\(start): \($0)." } ?? "\(start).") + hint
    }

    /// What is not in the strict form, with its place in the file if that is known.
    var deviation: String? {
        guard let deviation = facts.signature?.deviation else { return nil }
        guard case .encoding(let error) = deviation else { return deviation.description }
        guard let flaw = EncodingFlaw(in: container.span), flaw.explains(error) else {
            return error.description
        }
        return flaw.description
    }

    /// A reason in words, such as `is a folder` or `Permission denied`, as a sentence.
    private func sentence(_ reason: String) -> String {
        guard let first = reason.first else { return "It cannot be read." }
        let isPredicate = reason.lowercased().hasPrefix("is ")
        return (isPredicate ? "It " + first.lowercased() : first.uppercased()) + reason.dropFirst() + "."
    }
}

extension EncodingFlaw {
    /// Whether this is what a reader refused.
    fileprivate func explains(_ error: DERError) -> Bool {
        switch error {
        case .badLength: kind == .indefiniteLength || kind == .longLength
        case .truncated: kind == .cutShort
        case .leftOver: kind == .leftOver
        case .unexpectedTag, .badInteger, .beyondLimits: false
        }
    }
}
