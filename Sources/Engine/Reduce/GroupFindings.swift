package import Checks
import Encodings
import Inputs
package import Rules
package import Subscriptions

/// Receives the findings in groups, one by one.
package protocol GroupFindings {
    /// Receives a finding. Returns whether its claims are wanted.
    mutating func add(_ finding: Finding) throws -> Bool
    /// Receives a claim of the previous finding, with the severity of its mark.
    mutating func mark(_ observation: Observation, _ severity: Severity) throws
    mutating func add(_ transaction: OriginalTransaction) throws
    /// Receives what a group shows of an entity: a part of a refund request from Apple, a purchase that no claim
    /// presents, whose it is, or that several accounts match on a device.
    mutating func add(_ part: EntityPart, of entity: Entity) throws
    /// Whether there is a ledger with earlier runs.
    var hasEarlierRuns: Bool { get }
    /// Returns whether an earlier run had a claim.
    func hadClaim(_ id: ClaimID) throws -> Bool
    /// Receives a claim that does not match, of an account that matched on the same proof in an earlier run.
    mutating func add(_ wave: ClaimWave, of mismatching: Observation) throws
    /// Whether parts of answers are wanted.
    var wantsAnswers: Bool { get }
    /// Receives a part of the answer about the receipt of a claim.
    mutating func add(answer part: [UInt8], on claim: ClaimNumber) throws
}

extension GroupFindings {
    /// Adds what a group shows for customer support, and of entities.
    mutating func add(_ sum: SupportSum, of key: GroupKey, asOf: Instant) throws {
        if key.kind == .device, sum.presentations.accounts.count > 1, let device = Device(octets: key.octets.span) {
            try add(.crowd, of: Entity(.device, ExactText(device.description)))
        }
        if let purchase = sum.unclaimed(key) {
            let uuid = purchase.accountToken
            let entity = uuid.isEmpty ? Entity(.transaction, purchase.originalTransactionID) : Entity(.account, uuid)
            try add(.unclaimed(purchase), of: entity)
        }
        let account = Entity(.account, ExactText(String(decoding: key.octets, as: UTF8.self)))
        for owner in sum.owners(key) { try add(.owner(owner), of: account) }
        for request in sum.refundRequests {
            let part = RefundRequest(request, sum, under: key, asOf: asOf)
            try add(.request(part), of: part.entity)
        }
    }

    // Only a run in one process has a ledger.
    package var hasEarlierRuns: Bool { false }
    package func hadClaim(_ id: ClaimID) throws -> Bool { false }
    package mutating func add(_ wave: ClaimWave, of mismatching: Observation) throws {}
    // Only a run in one process writes the table `answers`.
    package var wantsAnswers: Bool { false }
    package mutating func add(answer part: [UInt8], on claim: ClaimNumber) throws {}
}
