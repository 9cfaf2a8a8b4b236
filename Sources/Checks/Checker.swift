import DER
public import Encodings
public import Inputs
public import Proofs
import Receipts

/// A run's expectations of every claim, in addition to the claim's own fields.
public struct Expectations: Sendable {
    /// The reference time of the audit, the only source of the current time.
    public var asOf: Instant
    /// The bundle identifiers of our apps; `nil` allows any.
    public var bundleIDs: Set<ExactText>?
    /// The environments (attribute 0) that are allowed; `nil` allows any.
    public var environments: Set<ExactText>?

    public init(asOf: Instant) { self.asOf = asOf }

    func allows(environment: ExactText) -> Bool { Self.allows(environment, among: environments) }

    /// Whether proofs of an environment are allowed. Volume purchases count as production, and the sandbox has
    /// different names in receipts and in tokens.
    ///
    /// - Parameter allowed: the names of the allowed environments; `nil` if all are.
    package static func allows(_ environment: ExactText, among allowed: Set<ExactText>?) -> Bool {
        guard let allowed else { return true }
        let others: [ExactText] =
            switch environment {
            case "ProductionVPP": ["Production"]
            case "Sandbox": ["ProductionSandbox"]
            case "ProductionSandbox": ["Sandbox"]
            default: []
            }
        return allowed.contains(environment) || others.contains(where: allowed.contains)
    }

    /// The number of seconds by which a receipt's creation date may be after the reference time: a day, for inaccurate
    /// clocks and time zones.
    package static let creationTolerance: Int64 = 24 * 3600
}

/// Runs all checks of a claim, for one worker.
///
/// A failed check does not prevent others: a receipt with an invalid signature is still parsed, and its device hash
/// still compared.
public final class Checker {
    let verifier: SignatureVerifier
    private(set) var expectations: Expectations
    private let keepsContent: Bool

    /// The reason why something could not be computed. Facts made after it are invalid.
    public var failure: OpenSSLError? { verifier.failure }

    /// - Parameter keepsContent: whether to set ``Facts/content``.
    public init(
        trust: TrustAnchors, expectations: Expectations, keepsContent: Bool = false
    ) throws(OpenSSLError) {
        verifier = try SignatureVerifier(trust: trust)
        self.expectations = expectations
        self.keepsContent = keepsContent
    }

    /// The reference time of the checks.
    public var asOf: Instant {
        get { expectations.asOf }
        set { expectations.asOf = newValue }
    }

    private var latestCreation: Instant { asOf.adding(seconds: Expectations.creationTolerance) }

    /// Returns the facts of a claim without bytes.
    public func facts(of claim: Claim, fault: InputFault) -> Facts {
        var facts = Facts(claim: claim)
        // The device is part of the claim's identity and is used by rules, even if the proof is unreadable.
        if fault.kind != .rowMalformed { checkDeviceID(&facts) }
        checkPresentation(&facts)
        switch fault.kind {
        case .rowMalformed: facts.failUnreadable(.rowMalformed)
        case .receiptNotFound: facts.failUnreadable(.receiptNotFound)
        case .receiptUnreadable: facts.failUnreadable(.receiptUnreadable)
        }
        facts.fault = .input(fault)
        return facts
    }

    /// Returns the facts of a claim with its receipt's bytes: DER, or bytes that could not be decoded as base64 of it.
    public func facts(of claim: Claim, receipt bytes: Span<UInt8>) -> Facts {
        var facts = Facts(claim: claim)
        check(bytes, into: &facts)
        return facts
    }

    /// Checks the receipt's bytes, in place, for facts with nothing but the claim.
    public func check(_ bytes: Span<UInt8>, into facts: inout Facts) {
        checkDeviceID(&facts)
        checkProof(bytes, into: &facts)
        checkPresentation(&facts)
    }

    private func checkProof(_ bytes: Span<UInt8>, into facts: inout Facts) {
        guard bytes.count > 0 else {
            facts.failUnreadable(.receiptEmpty)
            return facts.fault = .empty
        }
        if let token = TokenText(bytes, wasBase64: facts.claim.isReceiptBase64) {
            return checkToken(bytes.extracting(token.range), token.parts, into: &facts)
        }
        facts.format = .container
        do throws(ContainerDeviation) {
            try checkContainer(SignedData(strict: bytes), in: bytes, into: &facts)
        } catch {
            checkContainer(bytes, deviation: error, into: &facts)
        }
    }

    /// Checks a container in the strict form.
    private func checkContainer(
        _ signedData: borrowing SignedData, in bytes: Span<UInt8>, into facts: inout Facts
    ) throws(ContainerDeviation) {
        let signer: SignatureVerifier.SignerHandle
        do throws(SignatureVerifier.Refusal) {
            signer = try verifier.signer(of: signedData)
        } catch {
            switch error {
            case .deviation(let deviation): throw deviation
            case .fault(let fault): return facts.fail(fault)
            }
        }
        if !checkContent(signedData.content, into: &facts) {
            // It is read leniently, because objects of other kinds are not in the strict form.
            return checkContainer(bytes, deviation: .contentType, into: &facts)
        }
        checkSignature(verifier.verdict(on: signedData, by: signer, at: facts.createdAt), into: &facts)
    }

    /// Checks a container in any other form, if it is readable at all.
    private func checkContainer(_ bytes: Span<UInt8>, deviation: ContainerDeviation, into facts: inout Facts) {
        do throws(ContainerFault) {
            let signedData = try LenientSignedData(bytes, deviation: deviation, requiresData: false)
            guard Receipt.isRecognizable(in: signedData.content) else {
                return checkObject(signedData, into: &facts)
            }
            // Some readers ignore the type of the content.
            guard signedData.holdsData else { throw ContainerFault.noContent }
            let signer = try verifier.signer(of: signedData)
            checkContent(signedData.content, into: &facts)
            checkSignature(verifier.verdict(on: signedData, by: signer, at: facts.createdAt), into: &facts)
            if case .encoding(.leftOver(let position)) = deviation, position < bytes.count {
                facts.recognise(padding: bytes.extracting(position...))
            }
        } catch {
            if error == .notPKCS7, let certificate = verifier.signedCertificate(bytes) {
                facts.format = nil
                return facts.fail(OtherObject(certificate: certificate))
            }
            facts.fail(error)
            guard error == .notPKCS7 else { return }
            facts.format = nil
            facts.recognise(bytes)
        }
    }

    /// Checks a container whose content is no receipt, nor could be taken for one.
    private func checkObject(_ container: LenientSignedData, into facts: inout Facts) {
        let object = verifier.signedObject(container)
        guard container.holdsData || object != nil else { return facts.fail(ContainerFault.noContent) }
        facts.format = nil
        facts.fail(OtherObject(object, content: container.content))
    }

    func checkSignature(_ signature: SignatureVerdict, into facts: inout Facts) {
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
            if let presented = signature.chain.presented {
                checkChain(presented.marking, presented.validity, into: &facts)
            } else {
                facts.leaveUnchecked(.chainExpired, .signerNotAppStore)
            }
        case .trusted(let validity, let marking): checkChain(marking, validity, into: &facts)
        }
        facts.signature = signature
    }

    private func checkChain(
        _ marking: ChainVerdict.Marking, _ validity: Range<Instant>, into facts: inout Facts
    ) {
        if marking != .appStore { facts.fail(.signerNotAppStore) }
        guard let date = facts.createdAt else { return facts.leaveUnchecked(.chainExpired) }
        if !validity.contains(date) { facts.fail(.chainExpired) }
    }

    func checkCreation(_ date: Instant, into facts: inout Facts) {
        guard date > latestCreation else { return }
        facts.isDatedLater = true
        facts.fail(.malformedReceipt)
    }

    /// Checks what a container holds.
    ///
    /// - Returns: `false` if it is no receipt, nor could be taken for one: nothing was checked.
    @discardableResult
    private func checkContent(_ content: Span<UInt8>, into facts: inout Facts) -> Bool {
        if keepsContent { facts.content = content.copy() }
        do throws(ReceiptError) {
            let receipt = try Receipt(parsing: content)
            checkCreation(receipt.createdAt, into: &facts)
            if let error = receipt.purchaseError {
                facts.fail(.malformedInAppPurchase)
                facts.fault = .receipt(error)
            }
            checkDeviceHash(receipt.deviceHashInput, into: &facts)
            check(bundleID: receipt.bundleID, into: &facts)
            check(appVersion: receipt.appVersion, into: &facts)
            check(environment: receipt.environment, into: &facts)
            check(expiresAt: receipt.expiresAt, into: &facts)
            facts.receipt = receipt
        } catch {
            guard Receipt.isRecognizable(in: content) else { return false }
            facts.fail(.malformedReceipt)
            if let fields = ReceiptFields(legibleIn: content) {
                facts.fault = .incompleteReceipt(error, fields)
                checkIncomplete(fields, into: &facts)
            } else {
                facts.fault = .receipt(error)
                facts.leaveUnchecked(after: .malformedReceipt)
            }
        }
        return true
    }

    /// Runs the checks whose inputs an incomplete receipt has.
    private func checkIncomplete(_ fields: ReceiptFields, into facts: inout Facts) {
        if fields.purchaseError != nil { facts.fail(.malformedInAppPurchase) }
        if let input = fields.deviceHashInput {
            checkDeviceHash(input, into: &facts)
        } else {
            facts.leaveUnchecked(.guidMismatch)
        }
        if let bundleID = fields.bundleID {
            check(bundleID: bundleID, into: &facts)
        } else {
            facts.leaveUnchecked(.bundleIDMismatch)
        }
        if let appVersion = fields.appVersion {
            check(appVersion: appVersion, into: &facts)
        } else {
            facts.leaveUnchecked(.appVersionMismatch)
        }
        if fields.isLegible(.environment) {
            check(environment: fields.environment, into: &facts)
        } else {
            facts.leaveUnchecked(.environmentMismatch)
        }
        if fields.isLegible(.expiresAt) {
            check(expiresAt: fields.expiresAt, into: &facts)
        } else {
            facts.leaveUnchecked(.receiptExpired)
        }
    }

    /// Reads the claimed device ids, which needs no receipt.
    private func checkDeviceID(_ facts: inout Facts) {
        facts.claimedDevice = DeviceIdentifiers(facts.claim.deviceID)
        if facts.claimedDevice.isMalformed { facts.fail(.deviceIDMalformed) }
        let verificationID = facts.claim.deviceVerificationID
        guard !verificationID.isEmpty else { return }
        facts.verificationDevice = DeviceIdentifiers.device(ofVerificationID: verificationID)
        if facts.verificationDevice == nil, !Placeholder.matchesDevice(verificationID) {
            facts.fail(.deviceIDMalformed)
        }
    }

    /// Finds dates on which the proof cannot have been presented.
    private func checkPresentation(_ facts: inout Facts) {
        guard let date = facts.claim.presentedAt else { return }
        facts.impossiblePresentation = ClaimDoubt.about(
            presentation: date, of: facts.isGenuine ? facts.createdAt : nil, asOf: expectations.asOf)
    }

    /// Compares the receipt's device hash with those of the claimed devices. One of them must match.
    private func checkDeviceHash(_ input: Receipt.DeviceHashInput, into facts: inout Facts) {
        let claimed = facts.claimedDevice
        if let match = claimed.identifiers.firstIndex(where: { matches($0, input) }) {
            facts.deviceHash = .match
            facts.matchedDevice = match
        } else if claimed.smallestUsable == nil || claimed.isMalformed {
            // The unreadable alternative may have been the right one.
            facts.leaveUnchecked(.guidMismatch)
        } else {
            facts.deviceHash = .mismatch
            facts.fail(.guidMismatch)
        }
    }

    /// Whether a receipt belongs to a device. A placeholder is not compared.
    private func matches(_ device: [UInt8], _ input: Receipt.DeviceHashInput) -> Bool {
        DeviceIdentifiers.isUsable(device) && deviceHash(device, input).equals(input.hash.span)
    }

    /// Computes the hash that a receipt for this device has (Receipt Validation Programming Guide, "Compute the Hash of
    /// the GUID"): SHA-1 over the device's bytes, attribute 4 and the raw bytes of attribute 2.
    func deviceHash(_ device: [UInt8], _ input: Receipt.DeviceHashInput) -> Digest {
        verifier.sha1(of: device.span, input.opaqueValue.span, input.bundleIDOctets.span)
    }

    func check(bundleID: ExactText, into facts: inout Facts) {
        let claimed = facts.claim.bundleID
        if !claimed.isEmpty, claimed != bundleID { facts.fail(.bundleIDMismatch) }
        if let ours = expectations.bundleIDs, !ours.contains(bundleID) { facts.fail(.bundleIDMismatch) }
    }

    func check(appVersion: ExactText, into facts: inout Facts) {
        let claimed = facts.claim.appVersion
        if !claimed.isEmpty, claimed != appVersion { facts.fail(.appVersionMismatch) }
    }

    func check(environment: ExactText?, into facts: inout Facts) {
        if !expectations.allows(environment: environment ?? "") { facts.fail(.environmentMismatch) }
    }

    private func check(expiresAt: Instant?, into facts: inout Facts) {
        if let expiresAt, expiresAt < expectations.asOf { facts.fail(.receiptExpired) }
    }
}
