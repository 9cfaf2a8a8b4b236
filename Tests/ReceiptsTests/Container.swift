import Corpus
import DER
import Encodings
import Proofs
import Receipts

/// A container of the corpus, read strictly if it is strict, else leniently.
struct Container {
    let content: [UInt8]
    let verdict: SignatureVerdict

    init(_ name: String) throws {
        let bytes = Corpus.bytes("receipts/" + name)
        let verifier = try SignatureVerifier(trust: .apple())
        do throws(ContainerDeviation) {
            (content, verdict) = try Self.strict(bytes, verifier)
        } catch {
            let signedData = try LenientSignedData(bytes.span, deviation: error)
            content = signedData.content.copy()
            verdict = verifier.verdict(on: signedData, by: try verifier.signer(of: signedData), at: nil)
        }
    }

    private static func strict(
        _ bytes: [UInt8], _ verifier: SignatureVerifier
    ) throws(ContainerDeviation) -> ([UInt8], SignatureVerdict) {
        let signedData = try SignedData(strict: bytes.span)
        do throws(SignatureVerifier.Refusal) {
            let signer = try verifier.signer(of: signedData)
            return (signedData.content.copy(), verifier.verdict(on: signedData, by: signer, at: nil))
        } catch {
            throw .noCertificates
        }
    }
}

extension Receipt {
    init(content: [UInt8]) throws(ReceiptError) { try self.init(parsing: content.span) }
}

extension Purchase {
    init(content: [UInt8]) throws(ReceiptError) { try self.init(parsing: content.span) }
}
