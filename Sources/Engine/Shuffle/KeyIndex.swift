import Checks
import Encodings
import Files
package import Rules
import Sorting

/// The keys of one worker's claims, and the claims' observations under them.
///
/// Most keys belong to one claim only, and then there is nothing to compare. So only a hash of every key is logged,
/// with its claim, and a claim's observations are written once and not once per key. After all claims are checked, the
/// hashes are sorted, and only observations under a repeated hash are collected (``AuditRun``).
struct KeyIndex {
    /// The hashes of keys.
    private let hashes: ValueSorter<KeyRecord>
    /// A ``ClaimRecord`` for each claim that was added.
    private var claims: RecordLog
    private var record = RecordWriter()
    private var claim = KeyedClaim()
    private let wanted: WantedKeys
    private let worker: Int
    /// The number of claims added. If reading has to wait, a worker gets claims out of order.
    private var added: UInt64 = 0

    init(_ wanted: WantedKeys, worker: Int, storage: Storage) {
        self.wanted = wanted
        self.worker = worker
        hashes = ValueSorter(storage.divided(by: 4))
        claims = RecordLog(budget: storage.memory / 4, folder: storage.folder)
    }

    /// Returns a claim's keys and observations, to be added; `nil` without keys.
    mutating func note(_ observations: ClaimObservations) -> KeyedClaim? {
        claim.keys.removeAll(keepingCapacity: true)
        observations.forEachKey(wanted.kinds, withPeriods: wanted.isForSubscriptions) {
            kind, key, significantPurchases, trait in
            let hash = ObservationRecord.prefix(of: kind, key)
            let isSignificant = wanted.areEnough(significantPurchases, under: kind)
            // A receipt has few keys. If it has very many, some may be added twice, which costs time and changes
            // nothing.
            if !isSignificant {
                for index in max(0, claim.keys.count - 32)..<claim.keys.count where claim.keys[index].hash == hash {
                    if claim.keys[index].trait != trait { claim.keys[index].trait = .significant }
                    return
                }
            }
            claim.keys.append(ClaimKey(hash: hash, kind: kind, isSignificant: isSignificant, trait: trait))
        }
        guard !claim.keys.isEmpty else { return nil }
        record.removeAll()
        ClaimRecord.write(observations, to: &record)
        swap(&claim.record, &record.bytes)
        claim.identity = observations.presented.id.high
        claim.caseID = observations.presented.caseID
        return claim
    }

    /// Adds a claim's keys and observations; for a claim of an earlier run with its number and its source in this run.
    mutating func add(_ claim: KeyedClaim) throws(FileError) {
        let place = WorkerClaimID(added, worker: worker)
        added += 1
        for key in claim.keys {
            try hashes.add(KeyRecord(key, of: claim.identity, at: place))
        }
        try claims.append(claim.record.span)
    }

    /// Returns the hashes of keys in order: a ``KeyRecord`` each.
    func finishHashes() throws(FileError) -> [SortedRun] { try hashes.finish() }

    /// Calls a body with the ``ClaimRecord`` of each claim, in the order in which they were added, and frees it.
    mutating func drain(_ body: (WorkerClaimID, Span<UInt8>) throws -> Void) throws {
        var number: UInt64 = 0
        while let piece = try claims.nextPiece() {
            try piece.forEach { record in
                try body(WorkerClaimID(number, worker: worker), record)
                number += 1
            }
        }
    }
}

/// A claim's observations under its keys.
struct KeyedClaim {
    /// The first 64 bits of the claim's id.
    var identity: UInt64 = 0
    var caseID = CaseID.none
    var keys: [ClaimKey] = []
    /// A ``ClaimRecord``.
    var record: [UInt8] = []
}

/// The hash of one of a claim's keys.
struct ClaimKey {
    var hash: UInt64
    var kind: KeyKind
    /// Whether the claim's observation under it is enough for a rule, even if no other claim has it.
    var isSignificant: Bool
    /// What distinguishes the claim from others with the key.
    var trait = ClaimTrait.significant
}

/// The keys under which claims are collected, and the minimum number of claims for each. A class, because it is used
/// for every key: copying its fields would cost more than the answer.
final class WantedKeys: Sendable {
    let rules: RuleSet
    let kinds: KeyKinds
    /// Whether to read subscriptions and one-time purchases, which needs every original transaction.
    let isForSubscriptions: Bool
    /// Whether to find devices on which several accounts match.
    let isForEntities: Bool
    /// Whether claims are compared with those of earlier runs, and stored for later ones.
    let isKept: Bool
    /// The minimum number of claims for any rule to find anything, by the number of the key's kind.
    private let minimum: [Int]
    /// How many claims must differ, by the number of the key's kind.
    private let minTraits: [ClaimTrait.Minimum]
    /// The number of purchases of one claim that may be enough by themselves, by the number of the key's kind.
    private let minSignificantPurchases: [Int]

    init(
        _ rules: RuleSet, isForSubscriptions: Bool, isForEntities: Bool = false, hasEvidence: Bool = false,
        isKept: Bool = false
    ) {
        self.rules = rules
        self.isKept = isKept
        // A later run may need other keys.
        kinds =
            isKept
            ? .all
            : rules.keyKinds.with(
                purchases: isForSubscriptions, buyers: isForSubscriptions && isForEntities && hasEvidence,
                devices: isForEntities)
        self.isForSubscriptions = isForSubscriptions
        self.isForEntities = isForEntities
        let isForAccounts = { (kind: KeyKind) in isForEntities && kind == .device }
        minimum = KeyKind.allCases.map { min(rules.minObservations($0) ?? .max, isForAccounts($0) ? 2 : .max) }
        minTraits = KeyKind.allCases.map {
            .either(rules.minTraits($0), isForAccounts($0) ? .init(presenters: 2) : .init())
        }
        minSignificantPurchases = KeyKind.allCases.map { max(1, rules.minSignificantPurchases($0) ?? .max) }
    }

    func minimum(_ kind: KeyKind) -> Int { minimum[Int(kind.rawValue)] }

    func minTraits(_ kind: KeyKind) -> ClaimTrait.Minimum { minTraits[Int(kind.rawValue)] }

    /// Whether one claim with this many significant purchases is enough.
    func areEnough(_ significantPurchases: Int, under kind: KeyKind) -> Bool {
        isForSubscriptions && kind == .originalTransaction
            || significantPurchases >= minSignificantPurchases[Int(kind.rawValue)]
    }
}

extension KeyKinds {
    /// Returns these kinds, and those read in addition to rules.
    ///
    /// - Parameters:
    ///   - purchases: whether to add original transactions, which have subscriptions and one-time purchases, and
    ///     people, who request refunds.
    ///   - buyers: whether to add the UUIDs of accounts, for which evidence shows purchases.
    ///   - devices: whether to add devices, on which several accounts may match.
    package func with(purchases: Bool, buyers: Bool, devices: Bool) -> KeyKinds {
        KeyKinds(
            KeyKind.allCases.filter {
                purchases && ($0 == .originalTransaction || $0 == .person) || buyers && $0 == .accountToken
                    || devices && $0 == .device || contains($0)
            })
    }
}

/// The worker that checked a claim, and the claim's number there: in the order in which it was checked, which differs
/// from the order of claims if files had to be waited for.
struct WorkerClaimID: Sendable {
    let rawValue: UInt64

    init(_ number: UInt64, worker: Int) {
        rawValue = UInt64(UInt8(truncatingIfNeeded: worker)) << 56 | number & Self.numberBits
    }

    init(rawValue: UInt64) { self.rawValue = rawValue }

    private static let numberBits: UInt64 = 1 << 56 - 1
}

/// A key of a claim. Records of one key sort by the claims' ids.
struct KeyRecord: SortedRecord {
    private(set) var key: ClaimKey
    /// The first 64 bits of the claim's id.
    private(set) var identity: UInt64
    private(set) var place: WorkerClaimID

    init(_ key: ClaimKey, of identity: UInt64, at place: WorkerClaimID) {
        self.key = key
        self.identity = identity
        self.place = place
    }

    static var unread: KeyRecord {
        KeyRecord(ClaimKey(hash: 0, kind: .receipt, isSignificant: false), of: 0, at: WorkerClaimID(rawValue: 0))
    }

    var prefix: UInt64 { key.hash }

    /// Codes all fields except the hash.
    mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        var number = place.rawValue
        var presenterHash = key.trait.presenterHash
        var contentHash = key.trait.contentHash
        try coder.sortable(&identity)
        try coder.sortable(&number)
        try coder.code(&key.kind)
        try coder.bool(&key.isSignificant)
        try coder.sortable(&presenterHash)
        try coder.sortable(&contentHash)
        place = WorkerClaimID(rawValue: number)
        key.trait = ClaimTrait(presenterHash: presenterHash, contentHash: contentHash)
    }
}

extension Span<UInt8> {
    /// Returns the eight bytes from here on as a number, the most significant first.
    func bigEndian(at start: Int) -> UInt64 { (start..<start + 8).reduce(0) { $0 << 8 | UInt64(self[$1]) } }
}
