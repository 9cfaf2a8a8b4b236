import DER
import Encodings
import Inputs
import SampleStore

@testable import Checks
@testable import Proofs
@testable import Receipts

/// Holds mutants of a content, each signed again, to what may be valid.
///
/// Whatever is accepted equals the encoding of its attributes: type, version and value of each, in their order, and the
/// same inside purchases. An attribute that the product reads is there once.
struct ContentCampaign {
    let name: String
    let content: [UInt8]
    private let tree: DERTree
    private let authority: PrivateAuthority
    private let checker: Checker

    /// - Parameter authority: who signs; a small key makes it fast.
    init(name: String, content: [UInt8], authority: PrivateAuthority) throws {
        tree = try DERTree(parsing: content, openingStrings: true)
        self.name = name
        self.content = content
        self.authority = authority
        checker = try Samples.checker(trusting: authority.root.certificate)
    }

    /// The facts of this content, signed by the authority.
    private func facts(of content: [UInt8]) throws -> Facts {
        let container = try SignedDataContent(signing: content, by: authority, digest: .sha256)
        return checker.facts(of: Claim(source: "a mutant"), receipt: container.encoded.span)
    }

    func run(_ count: Int, seed: UInt64) throws -> MutationTally {
        var tally = MutationTally()
        guard try facts(of: content).verdict == .valid else {
            throw MutationCampaign.UnfitSpecimen(reason: "\(name), signed anew, is not valid")
        }
        for number in 0..<count {
            var mutator = ContentMutator(tree, name: name, seed: seed, number: number)
            let mutant = mutator.mutant()
            if mutant.bytes == content {
                tally.record(mutant, \.unchanged)
                continue
            }
            let facts = try facts(of: mutant.bytes)
            guard facts.verdict == .valid else {
                tally.record(mutant, nil)
                continue
            }
            tally.record(mutant, \.accepted)
            if let reason = Self.flaw(in: mutant.bytes, facts) {
                tally.fail(name, number, reason, mutant)
            }
        }
        return tally
    }

    /// One numbered value.
    private struct Triple {
        let type: Int
        let version: Int
        let value: [UInt8]
    }

    /// What the product's reader finds in a SET of attributes.
    private static func triples(in bytes: [UInt8]) -> [Triple]? {
        var triples: [Triple] = []
        do throws(ReceiptError) {
            try AttributeReader.read(bytes.span) { attribute throws(ReceiptError) in
                triples.append(
                    Triple(type: attribute.type, version: attribute.version, value: attribute.value.copy()))
            }
        } catch {
            return nil
        }
        return triples
    }

    private static func encoding(_ triples: [Triple]) -> [UInt8] {
        DERWriter.element(
            DERTag.set.rawValue, triples.map { AttributeContent($0.type, version: $0.version, value: $0.value).der })
    }

    /// The types that a receipt has once, then those that it has at most once.
    private static let required = [2, 3, 4, 5, 12]
    private static let optional = [0, 19, 21]

    /// Why a content should not have been accepted.
    private static func flaw(in content: [UInt8], _ facts: Facts) -> String? {
        guard let triples = triples(in: content), let receipt = facts.receipt else {
            return "its attributes cannot be read"
        }
        guard encoding(triples) == content else { return "its attributes give other octets" }
        for type in required where triples.filter({ $0.type == type }).count != 1 {
            return "attribute \(type) not once"
        }
        for type in optional where triples.filter({ $0.type == type }).count > 1 { return "attribute \(type) twice" }
        let purchases = triples.filter { $0.type == 17 }
        guard purchases.count == receipt.purchases.count else { return "another number of purchases" }
        for purchase in purchases {
            guard let inner = self.triples(in: purchase.value) else { return "a purchase cannot be read" }
            guard encoding(inner) == purchase.value else { return "a purchase's attributes give other octets" }
            for type in PurchaseAttributeType.allCases where inner.filter({ $0.type == type.rawValue }).count > 1 {
                return "attribute \(type.rawValue) of a purchase twice"
            }
        }
        return differingValue(triples, receipt)
    }

    /// Texts and bytes that the product does not read as they are written.
    private static func differingValue(_ triples: [Triple], _ receipt: Receipt) -> String? {
        func value(_ type: Int) -> [UInt8]? { triples.first { $0.type == type }?.value }
        func text(_ text: ExactText?) -> [UInt8] { DERWriter.utf8String(text?.text ?? "") }
        if value(2) != text(receipt.bundleID) || value(2) != receipt.deviceHashInput.bundleIDOctets {
            return "bundle id"
        }
        if value(3) != text(receipt.appVersion) { return "app version" }
        if value(4) != receipt.deviceHashInput.opaqueValue { return "opaque value" }
        if value(5) != receipt.deviceHashInput.hash { return "hash" }
        if let environment = value(0), environment != text(receipt.environment) { return "environment" }
        if let version = value(19), version != text(receipt.originalAppVersion) { return "original app version" }
        return nil
    }
}
