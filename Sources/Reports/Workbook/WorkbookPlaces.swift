import Checks
import Encodings
import Engine
import Files
import Rules
import Subscriptions

/// Maps link targets to rows of a workbook.
struct WorkbookPlaces {
    typealias Place = WorkbookSheet.Place

    let finding: (FindingID) -> Place?
    let links: (FindingID) -> Place?
    /// The first claim of a finding.
    let claimOfFinding: (FindingID) -> Place?
    let claim: (ClaimID) -> Place?
    /// The first claim of an entity.
    let claimOfEntity: (String) -> Place?
    /// The first claim with a receipt, by its digest in hex.
    let claimOfReceipt: (String) -> Place?
    /// The place of a subject in the form of a cell.
    let entity: (String) -> Place?
    let rule: (ExactText) -> Place?
    let firstFinding: (ExactText) -> Place?
    /// The first subscription in a state.
    let subscriptions: (String) -> Place?
    /// The first purchase that a claim proves, and the first row of a transaction.
    let purchases: (ClaimID) -> Place?
    let purchase: (String) -> Place?

    init(_ sink: WorkbookSink) {
        let (queue, links, entities, claims) = (sink.queue, sink.links, sink.entities, sink.claims)
        let (rules, purchases) = (sink.rules, sink.purchases)
        let (claimRows, purchaseRows) = (sink.claimRows, sink.purchaseRows)
        let findingRows = sink.waitingFindings.firstRows { $0.finding }
        finding = { id in findingRows[id].flatMap { queue.place(ofRow: $0) } }
        let linkRows = sink.waitingLinks.firstRows { $0.finding }
        self.links = { id in linkRows[id].flatMap { links.place(ofRow: $0) } }
        let claim = { (id: ClaimID) in claimRows.rows[id].flatMap { claims.place(ofRow: $0) } }
        self.claim = claim
        let linked = Dictionary(
            sink.waitingLinks.keys.map { ($0.finding, $0.claim) }, uniquingKeysWith: { first, _ in first })
        claimOfFinding = { id in linked[id].flatMap(claim) }
        let claimOfReceipt = { (digits: String) in
            claimRows.row(ofReceipt: digits).flatMap { claims.place(ofRow: $0) }
        }
        self.claimOfReceipt = claimOfReceipt
        claimOfEntity = { subject in
            claimRows.ofEntities[subject].flatMap(claim)
                ?? (subject.hasPrefix("receipt:") ? claimOfReceipt(String(subject.dropFirst(8))) : nil)
        }
        let entityRows = sink.waitingEntities.firstRows { $0.subject }
        let ringMembers = sink.ringMembers
        entity = { subject in
            (entityRows[subject] ?? ringMembers[subject].flatMap { entityRows[$0] }).flatMap {
                entities.place(ofRow: $0)
            }
        }
        let ruleRows = Dictionary(uniqueKeysWithValues: RuleBook.ids.enumerated().map { ($1, $0) })
        rule = { id in ruleRows[id].flatMap { rules.place(ofRow: $0) } }
        let firstRows = sink.waitingFindings.firstRows { $0.rule }
        firstFinding = { rule in firstRows[rule].flatMap { queue.place(ofRow: $0) } }
        let subscriptions = sink.subscriptions
        let stateRows = sink.waitingSubscriptions.firstRows { $0.rawValue }
        self.subscriptions = { state in stateRows[state].flatMap { subscriptions.place(ofRow: $0) } }
        self.purchases = { id in purchaseRows.ofClaims[id].flatMap { purchases.place(ofRow: $0) } }
        purchase = { id in purchaseRows.ofTransactions[id].flatMap { purchases.place(ofRow: $0) } }
    }
}

extension WorkbookSink {
    /// Writes the waiting rows, with their links.
    func writeWaiting(_ places: WorkbookPlaces, _ document: ReportDocument) throws(FileError) {
        leadFromQueue(places)
        try waitingFindings.write(to: queue)
        try writeEntities(document.entities, places)
        try writeLinks(places)
        rules.place = { column, text in column == 0 ? places.firstFinding(ExactText(String(cell: text))) : nil }
        let found = Dictionary(uniqueKeysWithValues: document.findings.byRule.map { ($0.rule, $0.count) })
        for rule in RuleBook.rules.map({ $0.documentation }) {
            let row = RuleSheet.Row(
                rule: rule, findings: found[rule.id] ?? 0,
                quality: document.ruleQuality.first { $0.rule == rule.id })
            try rules.write(row, of: RuleSheet.self)
        }
    }

    /// Links a finding to its subject, its rule, its claims, its account and its device.
    private func leadFromQueue(_ places: WorkbookPlaces) {
        let column = QueueSheet.schema.index
        let (subject, rule, sources, id) = (column("subject"), column("rule"), column("sources"), column("finding_id"))
        let (account, device) = (column("account_id"), column("device_id"))
        var finding: FindingID?
        queue.observe = { _, cells, bytes in
            finding = FindingID(ExactText(cells.text(id, bytes)))
            return []
        }
        queue.place = { column, text in
            let text = String(cell: text)
            return switch column {
            case subject:
                places.entity(text) ?? (text.hasPrefix("claim:") ? finding.flatMap(places.claimOfFinding) : nil)
            case rule: places.rule(ExactText(text))
            case account: places.entity("account:" + text)
            case device: places.entity("device:" + text)
            case sources: finding.flatMap(places.claimOfFinding)
            case id: finding.flatMap(places.links)
            default: nil
            }
        }
    }

    /// Links an entity to the finding with the highest mark, its ring, and its first claim.
    private func writeEntities(_ top: TopEntities, _ places: WorkbookPlaces) throws(FileError) {
        let worst = Dictionary(
            waitingEntities.keys.map { ($0.subject, $0.finding) }, uniquingKeysWith: { first, _ in first })
        let column = EntitySheet.schema.index
        let (kind, id, ring, claims) = (column("kind"), column("id"), column("ring"), column("claims"))
        var entity = ""
        entities.observe = { _, cells, bytes in
            entity = cells.text(kind, bytes) + ":" + cells.text(id, bytes)
            return []
        }
        entities.place = { column, text in
            switch column {
            case id: worst[entity].flatMap(\.self).flatMap(places.finding)
            case ring: FindingID(ExactText(String(cell: text))).flatMap(places.finding)
            default: nil
            }
        }
        entities.placeOfNumber = { column in
            guard column == claims else { return nil }
            return places.claimOfEntity(entity) ?? worst[entity].flatMap(\.self).flatMap(places.claimOfFinding)
        }
        for card in top.cards {
            let lines = card.notes.map { "\($0.mark.code) \($0.finding.rule): \($0.finding.evidence)" }
            let omitted = card.row.findings - lines.count
            let more = omitted > 0 && !lines.isEmpty ? ["and \(counted(omitted, "more finding", grouped))"] : []
            let members = card.ring.map(EntitySheet.members(of:)) ?? []
            try entities.write(
                EntitySheet.Row(entity: card.row, evidence: lines + more, members: members), of: EntitySheet.self)
        }
        try waitingEntities.write(to: entities)
    }

    private func writeLinks(_ places: WorkbookPlaces) throws(FileError) {
        let (finding, claim) = (LinksTable.schema.index(of: "finding_id"), LinksTable.schema.index(of: "claim_id"))
        links.place = { column, text in
            switch column {
            case finding: FindingID(ExactText(String(cell: text))).flatMap(places.finding)
            case claim: ClaimID(ExactText(String(cell: text))).flatMap(places.claim)
            default: nil
            }
        }
        let first = waitingLinks.firstRows { $0.claim }
        let worst = Dictionary(
            waitingLinks.keys.map { ($0.claim, $0.finding) }, uniquingKeysWith: { first, _ in first })
        try waitingLinks.write(to: links)
        for (claim, row) in claimRows.inOrder {
            guard let place = first[claim].flatMap({ links.place(ofRow: $0) }) else { continue }
            for (column, kind) in claimRows.linked(row) {
                let target =
                    switch kind {
                    case .links: place
                    case .finding: worst[claim].flatMap(places.finding)
                    case .account: claimRows.account(of: claim).flatMap { places.entity("account:" + $0) }
                    case .device: claimRows.device(of: claim).flatMap { places.entity("device:" + $0) }
                    case .purchases: places.purchases(claim)
                    }
                try claims.link(row: row, column: column, to: target ?? place)
            }
        }
    }

    /// Links a purchase to its claim, and to the transaction if it has findings.
    func leadFromPurchases(_ places: WorkbookPlaces) {
        let column = PurchasesTable.schema.index
        let (claim, transaction) = (column("claim_id"), column("original_transaction_id"))
        purchases.place = { column, text in
            switch column {
            case claim: ClaimID(ExactText(String(cell: text))).flatMap(places.claim)
            case transaction: places.entity("transaction:" + String(cell: text))
            default: nil
            }
        }
    }

    /// Links a subscription to its last purchase, to the claim that shows its state, and to the transaction if it has
    /// findings.
    func leadFromSubscriptions(_ places: WorkbookPlaces) {
        let column = SubscriptionsTable.schema.index
        let (transaction, last) = (column("original_transaction_id"), column("last_transaction_id"))
        let evidence = column("evidence_sha256")
        subscriptions.place = { column, text in
            switch column {
            case transaction: places.entity("transaction:" + String(cell: text))
            case last: places.purchase(String(cell: text))
            case evidence: places.claimOfReceipt(String(cell: text))
            default: nil
            }
        }
    }
}

extension SubscriptionState {
    /// The order on the sheet: states with revenue first.
    var place: Int {
        let order: [Self] = [.active, .trial, .intro, .gracePeriod, .billingRetry]
        return order.firstIndex(of: self) ?? order.count + (Self.allCases.firstIndex(of: self) ?? 0)
    }
}
