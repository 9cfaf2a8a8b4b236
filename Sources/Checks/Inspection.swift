import DER
public import Encodings
public import Inputs
public import Proofs
public import Receipts

/// One receipt as a person wants to see it: every check with its reason, and all that the receipt holds.
public struct Inspection: Sendable {
    public let facts: Facts
    /// The instant it was judged for.
    public let asOf: Instant
    /// The size of what was read; `nil` if nothing could be.
    public let byteCount: Int?
    /// Whether the receipt had to be decoded from base64 first.
    public let isBase64: Bool
    /// Every check of the contract, in order.
    public let checks: [CheckResult]
    /// The first thing in the container that is not in the strict form, and where it stands.
    public let deviation: String?
    /// What the container holds, if it can be read.
    public let contents: ContainerContents?
    /// The chain's certificates, signer first; for an untrusted chain those of the container.
    public let certificates: [Result<CertificateDescription, OpenSSLError>]
    /// Every attribute of the content; `nil` if there is no content.
    public let attributes: AttributeListing?
}

extension Checker {
    /// Inspects a claim and the receipt's bytes as they were sent in: DER, or base64 of it.
    public func inspection(of claim: Claim, receipt bytes: [UInt8]) -> Inspection {
        var decoded: [UInt8] = []
        let isBase64 = ReceiptForm.decode(bytes.span, into: &decoded)
        let container = isBase64 ? decoded : bytes
        verifier.asksForReasons = true
        defer { verifier.asksForReasons = false }
        return inspection(facts(of: claim, receipt: container.span), container, original: bytes)
    }

    /// Inspects a claim for which there are no bytes.
    public func inspection(of claim: Claim, fault: InputFault) -> Inspection {
        inspection(facts(of: claim, fault: fault), [], original: nil)
    }

    private func inspection(_ facts: Facts, _ container: [UInt8], original: [UInt8]?) -> Inspection {
        let contents = contents(of: container)
        let certificates = facts.signature.map { describe($0.chain) } ?? []
        let attributes = contents.map { AttributeListing(of: $0.content.span) }
        let explanation = Explanation(
            facts: facts, expectations: expectations, container: container, original: original ?? [],
            certificates: certificates.compactMap { certificate in
                if case .success(let description) = certificate { description } else { nil }
            },
            attributes: attributes, devices: deviceHashes(facts))
        return Inspection(
            facts: facts, asOf: expectations.asOf, byteCount: original?.count,
            isBase64: original != nil && container != original, checks: explanation.results,
            deviation: explanation.deviation, contents: contents, certificates: certificates, attributes: attributes)
    }

    /// What the container holds. Why it cannot be read is among the facts already.
    private func contents(of bytes: [UInt8]) -> ContainerContents? {
        do throws(ContainerFault) { return try verifier.contents(of: bytes.span) } catch { return nil }
    }

    private func describe(_ chain: ChainVerdict) -> [Result<CertificateDescription, OpenSSLError>] {
        chain.certificates.map { der in
            do throws(OpenSSLError) {
                return .success(try verifier.description(ofCertificate: der.span))
            } catch {
                return .failure(error)
            }
        }
    }

    /// The hash that each alternative of the claimed device would have in this receipt.
    private func deviceHashes(_ facts: Facts) -> [DeviceHash] {
        guard let binding = facts.deviceHashInput else { return [] }
        return DeviceIdentifiers(facts.claim.deviceID).identifiers.map { octets in
            let hash = hash(of: octets, binding)
            return DeviceHash(octets: octets, hash: hash.octets.copy())
        }
    }
}
