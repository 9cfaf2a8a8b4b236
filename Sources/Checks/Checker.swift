import DER
import Encodings
public import Inputs
public import Proofs
import Receipts

/// Makes every check of a claim, for one worker.
///
/// Every check that can be made is made: a receipt with a bad signature is still parsed, and its
/// device hash still compared.
public final class Checker {
    let verifier: SignatureVerifier
    let expectations: Expectations
    private let latestCreation: Instant

    /// Why something could not be computed: no facts since then are worth anything.
    public var failure: OpenSSLError? { verifier.failure }

    /// - Parameter memory: knows signatures that were verified before.
    public init(
        trust: TrustAnchors, expectations: Expectations, memory: (any SignatureCache)? = nil
    ) throws(OpenSSLError) {
        verifier = try SignatureVerifier(trust: trust, memory: memory)
        self.expectations = expectations
        latestCreation = expectations.asOf.adding(seconds: Expectations.creationTolerance)
    }

    /// The facts of a claim for which there are no bytes.
    public func facts(of claim: Claim, fault: InputFault) -> Facts {
        var facts = Facts(claim: claim)
        switch fault.kind {
        case .rowMalformed: facts.fail(.rowMalformed)
        case .receiptNotFound: facts.fail(.receiptNotFound)
        case .receiptUnreadable: facts.fail(.receiptUnreadable)
        }
        facts.fault = .input(fault)
        if fault.kind != .rowMalformed { checkDeviceID(&facts) }
        facts.leaveUnchecked(after: .receiptUnreadable)
        return facts
    }

    /// The facts of a claim and the receipt's bytes: DER, or what could not be read as base64 of it.
    public func facts(of claim: Claim, receipt bytes: Span<UInt8>) -> Facts {
        var facts = Facts(claim: claim)
        judge(bytes, into: &facts)
        return facts
    }

    /// The same for facts of which nothing but the claim is known yet; they are not copied.
    public func judge(_ bytes: Span<UInt8>, into facts: inout Facts) {
        checkDeviceID(&facts)
        guard bytes.count > 0 else {
            facts.fail(.receiptEmpty)
            facts.fault = .empty
            return facts.leaveUnchecked(after: .receiptEmpty)
        }
        do throws(ContainerDeviation) {
            try judge(SignedData(strict: bytes), into: &facts)
        } catch {
            judge(bytes, deviation: error, into: &facts)
        }
    }

    /// Judges a container in the strict form.
    private func judge(_ signedData: borrowing SignedData, into facts: inout Facts) throws(ContainerDeviation) {
        let signer: SignatureVerifier.SignerHandle
        do throws(SignatureVerifier.Refusal) {
            signer = try verifier.signer(of: signedData)
        } catch {
            switch error {
            case .deviation(let deviation): throw deviation
            case .fault(let fault): return facts.fail(fault)
            }
        }
        checkContent(signedData.content, into: &facts)
        checkSignature(verifier.verdict(on: signedData, by: signer, at: facts.createdAt), into: &facts)
    }

    /// Judges a container in any other form, if it can be read at all.
    private func judge(_ bytes: Span<UInt8>, deviation: ContainerDeviation, into facts: inout Facts) {
        do throws(ContainerFault) {
            let signedData = try LenientSignedData(bytes, deviation: deviation)
            let signer = try verifier.signer(of: signedData)
            checkContent(signedData.content, into: &facts)
            checkSignature(
                verifier.verdict(on: signedData, by: signer, at: facts.createdAt), into: &facts)
        } catch {
            facts.fail(error)
            if error == .notPKCS7 { facts.madeUp = MadeUpReceipt(bytes, wasBase64: facts.claim.isReceiptBase64) }
        }
    }

    private func checkSignature(_ signature: SignatureVerdict, into facts: inout Facts) {
        if signature.deviation != nil { facts.fail(.noncanonicalContainer) }
        switch signature.signature {
        case .holds: break
        case .broken: facts.fail(.signatureInvalid)
        case .notChecked: facts.leaveUnchecked(.signatureInvalid)
        }
        switch signature.chain.trust {
        case .noSigner:
            facts.fail(.signerNotFound)
            facts.leaveUnchecked(.chainUntrusted, .chainExpired, .signerNotAppStore)
        case .untrusted:
            facts.fail(.chainUntrusted)
            facts.leaveUnchecked(.chainExpired, .signerNotAppStore)
        case .trusted(_, let marking):
            if marking != .appStore { facts.fail(.signerNotAppStore) }
            switch signature.isChainCurrent(at: facts.createdAt) {
            case true?: break
            case false?: facts.fail(.chainExpired)
            case nil: facts.leaveUnchecked(.chainExpired)
            }
        }
        facts.signature = signature
    }

    private func checkContent(_ content: Span<UInt8>, into facts: inout Facts) {
        do throws(ReceiptError) {
            let receipt = try Receipt(parsing: content)
            if receipt.createdAt > latestCreation { facts.fail(.malformedReceipt) }
            if let error = receipt.purchaseError {
                facts.fail(.malformedInAppPurchase)
                facts.fault = .receipt(error)
            }
            checkDevice(receipt.deviceHashInput, into: &facts)
            checkExpectations(receipt, into: &facts)
            facts.receipt = receipt
        } catch {
            facts.fail(.malformedReceipt)
            if let fields = ReceiptFields(legibleIn: content) {
                facts.fault = .incompleteReceipt(error, fields)
                judge(fields, into: &facts)
            } else {
                facts.fault = .receipt(error)
                facts.leaveUnchecked(after: .malformedReceipt)
            }
        }
    }
}
