import Checks
package import Encodings
import Files
package import Inputs
import Proofs
import Receipts
package import Rules

/// What is known of an observation before its record is read: what the key says is not written again, and what no rule
/// asks for under such a key is left out.
package struct ObservationContext {
    /// `nil` for a claim's own record, in which everything is.
    fileprivate let kind: KeyKind?
    fileprivate var device: Device?
    fileprivate var accountID: ExactText = ""
    fileprivate var appTransactionID: ExactText = ""
    /// Empty if the key is no transaction's.
    fileprivate var transactionID: ExactText = ""
    /// Whether the record stands for the original transaction with the same id, too.
    fileprivate var isAlsoOriginal = false

    package static let claim = ObservationContext()

    private init() { kind = nil }

    /// - Parameter isAlsoOriginal: whether the record stands for the original transaction with the same id, too.
    package init(_ kind: KeyKind, _ key: Span<UInt8>, isAlsoOriginal: Bool = false) {
        self.kind = kind
        self.isAlsoOriginal = isAlsoOriginal
        switch kind {
        case .receipt, .app, .nonce: break
        case .device: device = Device(octets: key)
        case .account: accountID = Self.text(key)
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

    /// A receipt has one creation date, whoever presents it.
    fileprivate var hasCreationDate: Bool { kind != .receipt }
    /// What a claim asks for is compared where its purchase is.
    fileprivate var hasAskedProduct: Bool { kind == nil || kind == .transaction }
    fileprivate var hasMalformedDevice: Bool { kind == nil || kind == .receipt }
    /// How a subscription stands is asked for under its original transaction.
    fileprivate var isForSubscriptions: Bool { kind == nil || isOriginal }
    private var isOriginal: Bool { kind == .originalTransaction || isAlsoOriginal }
    /// What a subscription's figures and answers show of a purchase, and no rule asks for.
    fileprivate var hasWholePurchases: Bool { isForSubscriptions }
    /// A claim's own record has it elsewhere.
    fileprivate var hasReceiptDigest: Bool { isOriginal }
    /// Payloads are told apart where one token may have several.
    fileprivate var hasTokenDigest: Bool { isForSubscriptions || kind == .nonce }
    /// Only a key is made of it.
    fileprivate var hasNonce: Bool { kind == nil }
    /// Only links of later runs show it.
    fileprivate var hasVerdict: Bool { kind == nil }
    /// The date is part of the app's key.
    fileprivate var hasOriginalPurchaseDate: Bool { kind == nil }
}

extension Observation {
    /// Codes all but the claim and its source.
    package mutating func code<Coder: FieldCoder & ~Escapable>(
        _ coder: inout Coder, in context: ObservationContext
    ) throws(Coder.Failure) {
        try coder.identity(&id)
        var bits = try coder.beginBits()
        try coder.deviceHash(&deviceHash, &bits)
        coder.flag(&isGenuine, &bits)
        if context.hasVerdict { coder.verdict(&verdict, ofGenuine: isGenuine, &bits) }
        if context.kind == .device { device = context.device } else { try coder.device(&device, &bits) }
        if context.kind == .account { accountID = context.accountID } else { try coder.text(&accountID, &bits) }
        try coder.instant(&presentedAt, &bits)
        if context.hasCreationDate { try coder.instant(&createdAt, since: presentedAt, &bits) }
        if context.hasAskedProduct { try coder.text(&askedProduct, &bits) }
        if context.hasMalformedDevice { try coder.text(&malformedDevice, &bits) }
        if context.hasOriginalPurchaseDate { try coder.instant(&originalPurchaseDate, &bits) }
        if isGenuine {
            try coder.text(&bundleID)
            try coder.environment(&environment)
        }
        if coder.isPresent(kind != nil, &bits) {
            try codeToken(&coder, in: context)
        } else {
            kind = nil
            if isGenuine, context.hasReceiptDigest { try coder.octets(&tokenDigest) }
        }
        coder.end(bits)
        var product: ExactText = ""
        try coder.list(&purchases, of: .unread) { (purchase, coder) throws(Coder.Failure) in
            try purchase.code(
                &coder, after: product, underTransaction: context.transactionID, whole: context.hasWholePurchases)
            product = purchase.productID
        }
    }
}

extension Observation {
    /// Codes what only tokens show.
    private mutating func codeToken<Coder: FieldCoder & ~Escapable>(
        _ coder: inout Coder, in context: ObservationContext
    ) throws(Coder.Failure) {
        var kind = kind ?? .transaction
        try coder.place(of: &kind)
        self.kind = kind
        var bits = try coder.beginBits()
        coder.flag(&isBound, &bits)
        if context.hasNonce { try coder.text(&nonce, &bits) }
        if context.kind == .person {
            appTransactionID = context.appTransactionID
        } else {
            try coder.text(&appTransactionID, &bits)
        }
        coder.flag(&isEvidence, &bits)
        if context.hasTokenDigest {
            if coder.isPresent(!tokenDigest.isEmpty, &bits) { try coder.octets(&tokenDigest) } else { tokenDigest = [] }
        }
        if context.isForSubscriptions {
            try coder.text(&renewedID, &bits)
            try coder.number(&status, &bits)
            if coder.isPresent(renewal != nil, &bits) {
                var renewal = renewal ?? Token.RenewalInfo()
                try renewal.code(&coder)
                self.renewal = renewal
            } else {
                renewal = nil
            }
        }
        coder.end(bits)
    }
}

extension FieldCoder where Self: ~Escapable {
    /// Two bits: whether the hash was checked, and whether it matches.
    fileprivate mutating func deviceHash(
        _ result: inout DeviceHashResult, _ bits: inout PresenceBits
    ) throws(Failure) {
        var (isChecked, matches) = (result != .notChecked, result == .match)
        flag(&isChecked, &bits)
        flag(&matches, &bits)
        if matches, !isChecked { try reject() }
        result = matches ? .match : isChecked ? .mismatch : .notChecked
    }

    /// What Apple signed can be read, and what it did not sign is not valid.
    fileprivate mutating func verdict(_ verdict: inout Verdict, ofGenuine isGenuine: Bool, _ bits: inout PresenceBits) {
        var isBetter = verdict == (isGenuine ? .valid : .invalid)
        flag(&isBetter, &bits)
        verdict = isGenuine ? (isBetter ? .valid : .invalid) : (isBetter ? .invalid : .unreadable)
    }

    fileprivate mutating func device(_ device: inout Device?, _ bits: inout PresenceBits) throws(Failure) {
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

    /// An environment (attribute 0): one that is known takes a byte.
    package mutating func environment(_ environment: inout ExactText) throws(Failure) {
        var number = UInt8(truncatingIfNeeded: KnownEnvironment.number(of: environment) ?? KnownEnvironment.unknown)
        try byte(&number)
        if let name = KnownEnvironment.name(Int(number)) { return environment = name }
        try text(&environment)
    }
}

/// All that a claim says under any of its keys, as a record: first where the claim stands, its number and its source.
enum ClaimRecord {
    static func write(_ observations: borrowing ClaimObservations, to record: inout RecordWriter) {
        var presented = observations.presented
        presented.purchases = observations.purchases
        record.sortable(&presented.claim)
        record.text(&presented.source)
        if let digest = observations.contentDigest { record.octets(digest.octets) } else { record.octets(Span()) }
        presented.code(&record, in: .claim)
    }

    static func observations(of record: Span<UInt8>) throws(RecordError) -> ClaimObservations {
        var fields = RecordReader(record)
        var presented = Observation(claim: 0, source: "")
        var digest: [UInt8] = []
        try fields.sortable(&presented.claim)
        try fields.text(&presented.source)
        try fields.octets(&digest)
        try presented.code(&fields, in: .claim)
        try fields.end()
        if presented.isGenuine, presented.kind == nil { presented.tokenDigest = digest }
        let purchases = presented.purchases
        presented.purchases = []
        return ClaimObservations(
            presented: presented, contentDigest: digest.isEmpty ? nil : Digest(octets: digest), purchases: purchases)
    }

    /// The source of the claim; `nil` if there is none.
    static func source(of record: Span<UInt8>) -> ExactText? {
        var fields = RecordReader(record)
        var (number, source): (UInt64, ExactText) = (0, "")
        guard (try? fields.sortable(&number)) != nil, (try? fields.text(&source)) != nil else { return nil }
        return source
    }

    /// The record of a claim that says the same elsewhere; `nil` if this is none.
    static func moved(_ record: Span<UInt8>, to number: UInt64, _ source: ExactText) -> [UInt8]? {
        var fields = RecordReader(record)
        var (number, source, old) = (number, source, 0 as UInt64)
        guard (try? fields.sortable(&old)) != nil, (try? fields.skipOctets()) != nil else { return nil }
        var moved = RecordWriter()
        moved.bytes.reserveCapacity(record.count + source.utf8.count)
        moved.sortable(&number)
        moved.text(&source)
        moved.bytes.append(copying: record.extracting(fields.position...))
        return moved.bytes
    }
}

/// What a claim says under one key, as a record that sorts by the key and then by the claim.
enum ObservationRecord {
    /// By what records are sorted first, so that those of one key come together.
    static func prefix(of kind: KeyKind, _ key: Span<UInt8>) -> UInt64 {
        key.stableHash ^ UInt64(kind.rawValue) &* 0x9e37_79b9_7f4a_7c15
    }

    static func write(
        _ kind: KeyKind, _ key: Span<UInt8>, _ observation: consuming Observation, to record: inout RecordWriter
    ) {
        var (kind, observation) = (kind, observation)
        record.code(&kind)
        record.octets(key)
        record.sortable(&observation.claim)
        record.text(&observation.source)
        observation.code(&record, in: ObservationContext(kind, key))
    }

    static func key(of record: Span<UInt8>) throws(RecordError) -> (key: GroupKey, length: Int) {
        var fields = RecordReader(record)
        var (kind, octets): (KeyKind, [UInt8]) = (.receipt, [])
        try fields.code(&kind)
        try fields.octets(&octets)
        return (GroupKey(kind, octets: octets), fields.position)
    }

    /// - Parameters:
    ///   - rest: the record behind its key.
    ///   - context: made of the key.
    static func observation(of rest: Span<UInt8>, in context: ObservationContext) throws(RecordError) -> Observation {
        var fields = RecordReader(rest)
        var observation = Observation(claim: 0, source: "")
        try fields.sortable(&observation.claim)
        try fields.text(&observation.source)
        try observation.code(&fields, in: context)
        try fields.end()
        return observation
    }
}
