import Checks
import Encodings
import Inputs
import Proofs
import Receipts
import SampleStore

/// The rules once more, as plainly as they can be told: the judge of the truth, never of the product.
struct RuleOracle {
    /// A claim with what an auditor's checks say of it.
    struct Witness {
        let claim: SampleClaim
        let facts: Facts
        let device: String?
        var account: String { claim.row.accountID }
        var deviceHashMatches: Bool { facts.deviceHash == .match }
        /// What counts as evidence.
        var purchases: [Purchase] { facts.isGenuine ? facts.receipt?.purchases ?? [] : [] }

        init(_ claim: SampleClaim, _ facts: Facts) {
            self.claim = claim
            self.facts = facts
            let ids = facts.claimedDevice.identifiers
            let matching = ids.first { id in
                guard let binding = facts.receipt?.deviceHashInput else { return false }
                return SampleDigest.sha1.hash(id + binding.opaqueValue + binding.bundleIDOctets) == binding.hash
            }
            device =
                facts.claimedDevice.isMalformed
                ? nil
                : (matching ?? ids.first).map {
                    ($0.count == 6 ? SampleDevice.networkAddress($0) : .vendorIdentifier($0)).text
                }
        }
    }

    let witnesses: [Witness]
    var found: [ExpectedFinding] = []

    /// Checks every claim of an export.
    init(_ export: SampleExport) throws {
        let trust = try TrustAnchors(files: [(name: "root.cer", bytes: export.root)])
        var expectations = Expectations(asOf: SampleExport.asOf)
        expectations.environments = ["Production", "ProductionVPP", "ProductionSandbox"]
        expectations.bundleIDs = Set(SampleApp.catalogue.map { ExactText($0.bundleID) })
        let judge = try Checker(trust: trust, expectations: expectations)
        witnesses = try (0..<export.count).map { index in
            let made = try export.claim(at: index)
            var claim = Claim(source: ExactText(made.source))
            claim.deviceID = ExactText(made.row.deviceID)
            claim.bundleID = ExactText(made.row.bundleID)
            claim.appVersion = ExactText(made.row.appVersion)
            guard let file = made.file, file.extendedTo == nil, !made.row.isCutShort else {
                return Witness(made, judge.facts(of: claim, fault: InputFault(.receiptNotFound, "no file")))
            }
            let bytes = container(in: file)
            return Witness(made, judge.facts(of: claim, receipt: bytes.span))
        }
        for witness in witnesses { judgeAlone(witness) }
        judgeTogether()
        found.sort(by: ExpectedFinding.isBefore)
    }

    mutating func add(
        _ rule: Plant, _ severity: ExpectedFinding.Severity, _ subject: String, _ involved: [Witness]
    ) {
        let claims = Set(involved.map(\.claim.index)).sorted().map { witnesses[$0] }
        found.append(
            ExpectedFinding(
                rule: rule.rawValue, severity: severity, subject: subject, sources: claims.map(\.claim.source),
                devices: Set(claims.compactMap(\.device)).count,
                accounts: Set(claims.map(\.account).filter { !$0.isEmpty }).count))
    }
}
