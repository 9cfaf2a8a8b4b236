import Checks
package import Encodings
import Files
package import Inputs
import Proofs
import Receipts
package import Rules

/// The known fields of an observation before its record is read. The record omits what the key implies, and what no
/// rule uses under such a key.
package struct ObservationContext {
    /// The kind of key; `nil` for a claim's own record, which has all fields.
    fileprivate let kind: KeyKind?
    fileprivate var device: Device?
    fileprivate var accountID: ExactText = ""
    fileprivate var appTransactionID: ExactText = ""
    fileprivate var accountUUID: ExactText = ""
    /// The transaction of the key; empty for other kinds.
    fileprivate var transactionID: ExactText = ""
    /// Whether the record is also the observation of the original transaction with the same id.
    fileprivate var isAlsoOriginal = false

    package static let claim = ObservationContext()

    private init() { kind = nil }

    /// - Parameter isAlsoOriginal: whether the record is also the observation of the original transaction with the same
    ///   id.
    package init(_ kind: KeyKind, _ key: Span<UInt8>, isAlsoOriginal: Bool = false) {
        self.kind = kind
        self.isAlsoOriginal = isAlsoOriginal
        switch kind {
        case .receipt, .app, .nonce: break
        case .device: device = Device(octets: key)
        case .account: accountID = Self.text(key)
        case .accountToken: accountUUID = Self.text(key)
        case .person:
            let end = key.indices.first { key[$0] == 0 } ?? key.count
            appTransactionID = Self.text(key.extracting(min(end + 1, key.count)...))
        case .transaction, .originalTransaction: transactionID = Self.text(key)
        }
    }

    private static func text(_ key: Span<UInt8>) -> ExactText {
        guard let text = try? UTF8Span(validating: key) else { return "" }
        return ExactText(String(copying: text))
    }

    /// Whether it is a claim's own record. Only that has what composes keys, and what links in later runs show.
    fileprivate var isWhole: Bool { kind == nil }
    /// Under a receipt's content, rules compare claims that share no transaction, and malformed devices.
    fileprivate var isForReceipts: Bool { isWhole || kind == .receipt }
    /// The state of a subscription is kept under its original transaction. Tokens of one are compared there, and rules
    /// about single claims look at all that is known of it.
    fileprivate var isForSubscriptions: Bool { isWhole || isOriginal }
    /// A claim's own record has the digest of a receipt in another place.
    fileprivate var isOriginal: Bool { kind == .originalTransaction || isAlsoOriginal }
}

extension Observation {
    /// Codes all fields except the claim and its source.
    package mutating func code<Coder: FieldCoder & ~Escapable>(
        _ coder: inout Coder, in context: ObservationContext
    ) throws(Coder.Failure) {
        try coder.identity(&id)
        try coder.identity(&caseID)
        var bits = try coder.beginBits()
        try coder.deviceHash(&deviceHash, &bits)
        coder.flag(&isGenuine, &bits)
        coder.flag(&isBound, &bits)
        if context.isForReceipts { coder.flag(&hasTransactions, &bits) }
        if context.isWhole { coder.verdict(&verdict, ofGenuine: isGenuine, &bits) }
        if context.kind == .device { device = context.device } else { try coder.device(&device, &bits) }
        if context.kind == .account { accountID = context.accountID } else { try coder.text(&accountID, &bits) }
        if context.isWhole { try coder.text(&claimUUID, &bits) } else { claimUUID = context.accountUUID }
        try coder.instant(&presentedAt, &bits)
        try coder.instant(&createdAt, since: presentedAt, &bits)
        if context.isForSubscriptions || context.kind == .transaction { try coder.text(&askedProduct, &bits) }
        if context.isForSubscriptions { try coder.instant(&coveredFrom, since: createdAt, &bits) }
        if context.kind == .account { coder.flag(&isBurst, &bits) }
        if context.isForReceipts { try coder.text(&malformedDevice, &bits) }
        if context.isWhole { try coder.instant(&originalPurchaseDate, &bits) }
        if isGenuine {
            try coder.text(&bundleID)
            try coder.environment(&environment)
        }
        if coder.isPresent(kind != nil, &bits) {
            try codeToken(&coder, in: context)
        } else {
            kind = nil
            if isGenuine, context.isOriginal { try coder.octets(&tokenDigest) }
        }
        coder.end(bits)
        try coder.purchases(&purchases, underTransaction: context.transactionID)
    }
}

extension Observation {
    /// Codes the fields that only tokens have.
    private mutating func codeToken<Coder: FieldCoder & ~Escapable>(
        _ coder: inout Coder, in context: ObservationContext
    ) throws(Coder.Failure) {
        var kind = kind ?? .transaction
        try coder.place(of: &kind)
        self.kind = kind
        var bits = try coder.beginBits()
        if context.isWhole { try coder.text(&nonce, &bits) }
        if context.isForSubscriptions {
            try coder.text(&accountToken, &bits)
            try coder.text(&claimedAccountToken, &bits)
        }
        if context.kind == .person {
            appTransactionID = context.appTransactionID
        } else {
            try coder.text(&appTransactionID, &bits)
        }
        coder.flag(&isEvidence, &bits)
        if context.isForSubscriptions || context.kind == .person {
            if coder.isPresent(!refundRequests.isEmpty, &bits) {
                try coder.list(&refundRequests)
            } else {
                refundRequests = []
            }
        }
        if context.isForSubscriptions || context.kind == .nonce { try coder.octets(&tokenDigest, &bits) }
        if context.isForSubscriptions {
            try coder.text(&renewedID, &bits)
            try coder.number(&status, &bits)
            try coder.value(&renewal, &bits)
        }
        coder.end(bits)
    }
}

extension FieldCoder where Self: ~Escapable {
    /// Codes two bits: whether the hash was checked, and whether it matches.
    fileprivate mutating func deviceHash(
        _ result: inout DeviceHashResult, _ bits: inout PresenceBits
    ) throws(Failure) {
        var (isChecked, matches) = (result != .notChecked, result == .match)
        flag(&isChecked, &bits)
        flag(&matches, &bits)
        if matches, !isChecked { try reject() }
        result = matches ? .match : isChecked ? .mismatch : .notChecked
    }

    /// Codes the verdict, with fewer values: what Apple signed is readable, and what it did not sign is not valid.
    fileprivate mutating func verdict(_ verdict: inout Verdict, ofGenuine isGenuine: Bool, _ bits: inout PresenceBits) {
        var isBetter = verdict == (isGenuine ? .valid : .invalid)
        flag(&isBetter, &bits)
        verdict = isGenuine ? (isBetter ? .valid : .invalid) : (isBetter ? .invalid : .unreadable)
    }

    package mutating func device(_ device: inout Device?, _ bits: inout PresenceBits) throws(Failure) {
        guard isPresent(device != nil, &bits) else { return device = nil }
        try self.device(&device)
    }

    package mutating func device(_ device: inout Device?) throws(Failure) {
        var octets: [UInt8] = []
        device?.withOctets { octets.append(copying: $0) }
        try self.octets(&octets)
        device = Device(octets: octets.span)
        if device == nil { try reject() }
    }

    /// Codes an environment (attribute 0); a known one takes a byte.
    package mutating func environment(_ environment: inout ExactText) throws(Failure) {
        var number = UInt8(truncatingIfNeeded: KnownEnvironment.number(of: environment) ?? KnownEnvironment.unknown)
        try byte(&number)
        if let name = KnownEnvironment.name(Int(number)) { return environment = name }
        try text(&environment)
    }
}
