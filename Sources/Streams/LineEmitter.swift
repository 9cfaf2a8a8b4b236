import Checks
import Encodings
import Engine
import Files
import Inputs
import Proofs
import Receipts
import Reports
import Rules

/// Writes claims as lines, on one thread: a claim's row, its observation under each of its keys, and a separate line
/// for each finding about it by itself.
final class LineEmitter: ClaimEmitter {
    private let rules: RuleSet
    private let kinds: KeyKinds
    private let accountsNeedPurchases: Bool
    private let devicesNeedPurchases: Bool
    /// The number of the claims' input.
    private let input: Int
    private let withPurchases: Bool
    private var rows: TableLineWriter
    private var line = LineWriter()
    private var marked = MarkedRules()
    private(set) var tally = Tally()
    private(set) var breakdown = Breakdown()
    private(set) var spellings = AccountSpellings()
    /// The lines and rows that were written.
    var counts: LineCounts { line.counts }
    private let identities: IdentityHasher
    /// The findings about the claim by itself, and whether each marks it: not if the policy allows it.
    private var found: [(finding: MergedFinding, isMarking: Bool)] = []

    /// - Parameter hasEvidence: whether to write what tells whose purchases evidence shows.
    init(
        _ settings: StreamSettings, input: Int, withPurchases: Bool = false, hasEvidence: Bool = false
    ) throws(OpenSSLError) {
        identities = try IdentityHasher()
        rows = TableLineWriter(withCSV: settings.withCSV)
        self.withPurchases = withPurchases
        rules = settings.rules
        kinds = rules.keyKinds.with(purchases: true, buyers: hasEvidence, devices: true)
        accountsNeedPurchases = rules.looksAtPurchasesOnly(.account)
        devicesNeedPurchases = rules.looksAtPurchasesOnly(.device)
        self.input = input
    }

    func begin(_ block: NumberedBlock) {}

    func number(of facts: Facts, at index: Int) -> ClaimNumber {
        ClaimPlace(input: input, line: facts.claim.line).number
    }

    func emit(_ finding: Finding, onClaim number: ClaimNumber) {
        let part = MergedFinding(finding, identities)
        found.append((part, !rules.isAllowed(finding, id: part.id)))
    }

    func emit(_ facts: Facts, claim number: ClaimNumber) {
        tally.count(facts)
        breakdown.count(facts, rules.policy)
        let place = ClaimPlace(number: number)
        writeFindings(facts, claim: number)
        ClaimLine.write(ReceiptRow(facts, at: place, marked), at: place, to: &line)
        marked = MarkedRules()
        guard withPurchases else { return }
        PurchasesTable.forEachRow(of: facts, rules.policy) { rows.write($0, of: PurchasesTable.self, to: &line) }
    }

    private func writeFindings(_ facts: Facts, claim number: ClaimNumber) {
        guard !found.isEmpty else { return }
        let link = LinkFacts(facts)
        for (part, isMarking) in found {
            FindingLine.write(part, to: &line)
            guard isMarking else { continue }
            let mark = Mark(ofClaim: part)
            // Whether there is such a wave is known when all claims are counted.
            guard mark.wave == 0 else {
                ClaimLine.write(mark, on: ClaimPlace(number: number), to: &line)
                continue
            }
            marked.insert(mark.rule, mark.severity)
            FindingLine.write(LinkRow(mark, link, claim: number), to: &line)
        }
        found.removeAll(keepingCapacity: true)
    }

    func count(inside facts: Facts) { tally.count(inside: facts) }

    func emit(_ observations: ClaimObservations) {
        spellings.insert(observations.presented.accountID)
        write(observations, at: ClaimPlace(number: observations.presented.claim))
    }

    /// Writes the observations of evidence, which has no place among claims.
    func emit(evidence told: ClaimObservations) {
        write(told, at: ClaimPlace(input: 0, line: 0), named: "")
    }

    /// Writes a row of a table.
    func emit<Table: ReportTable>(_ row: Table.Row, of table: Table.Type) {
        rows.write(row, of: table, to: &line)
    }

    /// Returns the lines of the block.
    func end() throws -> [UInt8] {
        if let failure = identities.failure { throw failure }
        let taken = line.bytes.take()
        line.bytes.reserveCapacity(taken.count)
        return taken
    }

    /// - Parameter source: replaces the claim's source.
    private func write(_ observations: ClaimObservations, at place: ClaimPlace, named source: ExactText? = nil) {
        var presented = rules.presented(observations)
        if let source { presented.source = source }
        var observation = ObservationLine(place: place, observation: presented)
        var transactions = PendingTransactions()
        observations.forEach(kinds, withPeriods: true) { kind, key, purchases in
            switch kind {
            case .transaction: transactions.insert(key, purchases)
            case .originalTransaction:
                observation.isOriginal = true
                observation.observation.purchases = purchases
                observation.transaction = transactions.take(key, in: purchases)
                observation.write(.transaction, key, to: &line)
                observation.isOriginal = false
                observation.transaction = nil
            case .receipt, .device, .account, .app, .nonce, .person, .accountToken:
                let needPurchases =
                    kind == .account && accountsNeedPurchases || kind == .device && devicesNeedPurchases
                guard !needPurchases || !purchases.isEmpty || kind == .account && presented.isBurst else { return }
                observation.observation.purchases = purchases
                observation.write(StreamKey.KeyLetter(kind), key, to: &line)
            }
        }
        transactions.forEach { key, purchase in
            observation.transaction = 0
            observation.observation.purchases = [purchase.asTransaction]
            observation.write(.transaction, key, to: &line)
        }
    }
}

extension Purchase {
    /// The purchase reduced to what matters under its transaction: product, dates, price and owner, original
    /// transaction, and the reason for a revocation. The rest is written under the original transaction, and by device
    /// and account.
    fileprivate var asTransaction: Purchase {
        var purchase = Purchase(productID: productID, transactionID: transactionID, purchaseDate: purchaseDate)
        purchase.originalTransactionID = originalTransactionID
        // A stake tells a restored purchase from another period by these.
        purchase.webOrderLineItemID = webOrderLineItemID
        purchase.expiresDate = expiresDate
        purchase.kind = kind
        purchase.quantity = quantity
        purchase.cancellationDate = cancellationDate
        purchase.cancellationReason = cancellationReason
        guard let details else { return purchase }
        var kept = details.ofRevocation
        kept.previousOriginalTransactionID = details.previousOriginalTransactionID
        kept.price = details.price
        kept.currency = details.currency
        kept.seats = details.seats
        kept.bundleTransactionID = details.bundleTransactionID
        if kept != TransactionDetails() { purchase.details = kept }
        return purchase
    }
}

/// A claim's transactions without a written line.
private struct PendingTransactions {
    private var entries: [(key: [UInt8], purchase: Purchase)?] = []
    /// The index of each key, once there are many.
    private var places: [[UInt8]: Int] = [:]
    private static let few = 8

    mutating func insert(_ key: Span<UInt8>, _ purchases: [Purchase]) {
        guard let purchase = purchases.first else { return }
        let key = key.indices.map { key[$0] }
        entries.append((key, purchase))
        if entries.count == Self.few {
            for (index, entry) in entries.enumerated() { if let entry { places[entry.key] = index } }
        } else if entries.count > Self.few {
            places[key] = entries.count - 1
        }
    }

    /// Removes the transaction with this id, if its purchase is among these, and returns the purchase's index.
    mutating func take(_ key: Span<UInt8>, in purchases: [Purchase]) -> Int? {
        guard let place = place(of: key), let entry = entries[place],
            let index = purchases.firstIndex(of: entry.purchase)
        else { return nil }
        entries[place] = nil
        return index
    }

    private func place(of key: Span<UInt8>) -> Int? {
        let key = key.indices.map { key[$0] }
        guard entries.count < Self.few else { return places[key] }
        return entries.firstIndex { $0?.key == key }
    }

    func forEach(_ body: (Span<UInt8>, Purchase) -> Void) {
        for case .some(let entry) in entries { body(entry.key.span, entry.purchase) }
    }
}
