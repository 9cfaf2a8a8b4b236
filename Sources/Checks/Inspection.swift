import DER
public import Encodings
public import Inputs
public import Receipts
public import Signatures

/// One receipt as a person wants to see it: every check with its reason, and all that the receipt holds.
public struct Inspection: Sendable {
    public let facts: Facts
    /// The instant it was judged for.
    public let asOf: Instant
    /// The size of the receipt that was judged; `nil` if none could be read.
    public let byteCount: Int?
    /// Every check of the contract, in order.
    public let checks: [CheckResult]
    /// What the container holds, if it can be read.
    public let contents: ContainerContents?
    /// The chain's certificates, signer first; for an untrusted chain those of the container.
    public let certificates: [Result<CertificateDescription, OpenSSLError>]
    /// Every attribute of the content; `nil` if there is no content.
    public let attributes: AttributeListing?
}

extension Judge {
    /// Inspects a claim and the receipt's bytes: DER, or what could not be read as base64 of it.
    public func inspection(of claim: Claim, receipt bytes: [UInt8]) -> Inspection {
        inspection(facts(of: claim, receipt: bytes.span), bytes)
    }

    /// Inspects a claim for which there are no bytes.
    public func inspection(of claim: Claim, fault: InputFault) -> Inspection {
        inspection(facts(of: claim, fault: fault), nil)
    }

    private func inspection(_ facts: Facts, _ bytes: [UInt8]?) -> Inspection {
        let contents = contents(of: bytes ?? [])
        let certificates = facts.signature.map { describe($0.chain) } ?? []
        let attributes = contents.map { AttributeListing(of: $0.content.span) }
        let explanation = Explanation(
            facts: facts, expectations: expectations, bytes: bytes ?? [],
            certificates: certificates.compactMap { certificate in
                if case .success(let description) = certificate { description } else { nil }
            },
            attributes: attributes, devices: deviceHashes(facts))
        return Inspection(
            facts: facts, asOf: expectations.asOf, byteCount: bytes?.count, checks: explanation.results,
            contents: contents, certificates: certificates, attributes: attributes)
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
        guard let binding = facts.receipt?.deviceBinding else { return [] }
        return DeviceIdentifiers(facts.claim.deviceID).identifiers.map { octets in
            let hash = hash(of: octets, binding)
            return DeviceHash(octets: octets, hash: hash.octets.copy())
        }
    }
}
