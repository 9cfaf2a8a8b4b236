import Corpus
import Encodings
import FoundationEssentials
import Inputs
import SampleStore

@testable import Checks
@testable import Proofs

/// Holds the mutants of one container to what may be valid.
///
/// A mutant is accepted if it fails no check that the specimen does not fail. Whatever is accepted
/// 1. is accepted by OpenSSL too, with the same content;
/// 2. equals the encoding of the values that the product read from it;
/// 3. has the specimen's values, but for the freedoms that ``MutationTally/freedoms`` counts.
///
/// What was checked before never matters: one mutant in 50 is checked by a new judge too, which has cached nothing.
struct MutationCampaign {
    let specimen: Specimen
    let donors: [Specimen]
    /// Certificates that no donor has.
    let spares: [[UInt8]]
    let roots: [[UInt8]]
    let kinds: [MutationKind]
    private let trust: TrustAnchors
    private let checker: Checker
    private let failed: CheckSet
    private let date: Instant
    private let values: CanonicalEncoding
    private let nulls: CanonicalEncoding.Nulls

    /// The specimen itself is not accepted, or is not what its values give.
    struct UnfitSpecimen: Error {
        let reason: String
    }

    /// - Parameter tolerated: the checks that the specimen may fail.
    init(
        _ specimen: Specimen, donors: [Specimen], spares: [[UInt8]], trust: TrustAnchors, roots: [[UInt8]],
        tolerated: CheckSet = [], kinds: [MutationKind] = MutationKind.ofContainers
    ) throws {
        self.specimen = specimen
        self.donors = donors
        self.spares = spares
        self.roots = roots
        self.kinds = kinds
        self.trust = trust
        checker = try Self.checker(trust)
        let facts = checker.facts(of: Claim(source: "a mutant"), receipt: specimen.bytes.span)
        guard let date = facts.createdAt, let signature = facts.signature,
            facts.failed.sorted.allSatisfy(tolerated.contains),
            let values = CanonicalEncoding(of: specimen.bytes, signature, by: checker.verifier),
            let nulls = values.nulls(in: specimen.bytes)
        else { throw UnfitSpecimen(reason: "\(specimen.name) fails \(facts.failed)") }
        failed = facts.failed
        self.date = date
        self.values = values
        self.nulls = nulls
    }

    private static func checker(_ trust: TrustAnchors) throws -> Checker {
        try Checker(trust: trust, expectations: Expectations(asOf: Samples.asOf))
    }

    /// Makes this many mutants and checks each.
    func run(_ count: Int, seed: UInt64) throws -> MutationTally {
        var tally = MutationTally()
        let name = specimen.name
        let spares = spares.compactMap { try? DERTree(parsing: $0) }
        for number in 0..<count {
            var mutator = StructuralMutator(
                specimen, donors: donors, spares: spares, kinds: kinds, seed: seed, number: number)
            let mutant = mutator.mutant()
            if mutant.bytes == specimen.bytes {
                tally.record(mutant, \.unchanged)
                continue
            }
            let facts = checker.facts(of: Claim(source: "a mutant"), receipt: mutant.bytes.span)
            if number % 50 == 0 {
                let first = try Self.checker(trust).facts(of: Claim(source: "a mutant"), receipt: mutant.bytes.span)
                if first.failed != facts.failed {
                    tally.fail(name, number, "fails \(facts.failed), but \(first.failed) in a new checker", mutant)
                }
            }
            guard facts.failed.sorted.allSatisfy(failed.contains) else {
                tally.record(mutant, nil)
                continue
            }
            tally.record(mutant, \.accepted)
            do {
                tally.freedoms[try freedom(of: mutant, facts), default: 0] += 1
            } catch {
                tally.fail(name, number, error.reason, mutant)
            }
        }
        return tally
    }

    /// Why a mutant should not have been accepted.
    private struct Wrong: Error {
        let reason: String
    }

    /// What the contract leaves open in an accepted mutant.
    private func freedom(of mutant: Mutant, _ facts: Facts) throws(Wrong) -> String {
        guard let signature = facts.signature,
            let found = CanonicalEncoding(of: mutant.bytes, signature, by: checker.verifier)
        else { throw Wrong(reason: "accepted, but its fields cannot be read") }
        guard let nulls = found.nulls(in: mutant.bytes) else {
            throw Wrong(
                reason: "its fields give other octets (\(mutant.bytes.count) octets; \(place(in: mutant.bytes)))")
        }
        let answer = OpenSSLAnswer(mutant.bytes, roots: roots, at: date)
        guard answer.cms == found.content else { throw Wrong(reason: "CMS_verify rejects it") }
        guard answer.pkcs7 else { throw Wrong(reason: "PKCS7_verify rejects it") }
        guard let origin = ([specimen] + donors).first(where: { $0.signed(found.content, found.signature) }) else {
            throw Wrong(reason: "its fields have other values")
        }
        var freedoms = nulls == self.nulls ? [] : ["algorithm parameters NULL or absent"]
        if origin.name != specimen.name { freedoms.append("content and signature of another receipt") }
        let certificates = origin.tree[Field.certificates]?.children.map(\.encoded) ?? []
        return (freedoms + (try difference(found.certificates.map(\.encoding), certificates))).joined(separator: ", ")
    }

    /// What differs in the certificates: their number and order are the same, and where there is another one, it has the
    /// same name and key, as a renewed authority has.
    private func difference(_ found: [[UInt8]], _ old: [[UInt8]]) throws(Wrong) -> [String] {
        guard found != old else { return [] }
        guard found.count == old.count, zip(found, old).allSatisfy({ $0 == $1 || Self.haveSameNameAndKey($0, $1) })
        else { throw Wrong(reason: "with other certificates, or in another order") }
        return ["a certificate exchanged for another of the same name and key"]
    }

    /// Whether two certificates have the same subject and the same key, as a renewed one has.
    private static func haveSameNameAndKey(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        guard let first = CertificateParts(first), let second = CertificateParts(second) else { return false }
        return first.subject == second.subject && first.publicKeyInfo == second.publicKeyInfo
    }

    /// Where a mutant begins to differ from the specimen.
    private func place(in bytes: [UInt8]) -> String {
        let common = zip(bytes, specimen.bytes).prefix { $0 == $1 }.count
        let here = bytes.dropFirst(common).prefix(12).map { String($0, radix: 16) }.joined(separator: " ")
        return "from octet \(common) on: \(here)"
    }
}
