package import Checks
import Encodings
package import Files
package import Rules
import Sorting
package import Subscriptions

/// Groups the parts of one entity, or of all entities.
package final class EntityPartSorter {
    private let sorter: ValueSorter<Keyed<Entity, EntityPart>>

    package init(_ storage: Storage) { sorter = ValueSorter(storage) }

    /// Adds a part of an entity.
    package func add(_ entity: Entity, _ part: EntityPart) throws(FileError) { try sorter.add(Keyed(entity, part)) }

    /// Adds parts of entities, as another sorter has sorted them.
    func add(_ runs: [SortedRun]) throws { try sorter.add(runs) }

    /// Calls a body with the row of each entity that findings are about, by kind and id, and starts over.
    ///
    /// - Parameters:
    ///   - shared: the stakes of findings whose parts have none.
    ///   - onMark: called with each finding of an entity, before its row.
    ///   - onRequest: called with each refund request from Apple.
    ///   - onUnclaimed: called with each purchase that no claim presents.
    package func forEachRow(
        _ rules: RuleSet, sharing shared: [FindingID: SharedStake] = [:],
        onMark: (EntityMark) throws -> Void = { _ in },
        onRequest: (RefundRequest) throws -> Void, onUnclaimed: (UnclaimedPurchase) throws -> Void,
        _ body: (EntityRow) throws -> Void
    ) throws {
        var pending: (entity: Entity, parts: EntityAccumulator)?
        var request: RefundRequest?
        /// By app, those whose UUID is the entity's id.
        var owners: [ExactText: PurchaseOwner] = [:]
        func finishRequest() throws {
            guard var finished = request, let pending else { return }
            finished.found = pending.parts.found
            try onRequest(finished)
            request = nil
        }
        func finish() throws {
            try finishRequest()
            guard let pending, pending.parts.found.findings > 0 else { return }
            if let note = pending.parts.note { try onMark(EntityMark(pending.entity, note.finding, note.severity)) }
            try body(pending.parts.finish(rules))
        }
        try sorter.forEach { next in
            let (entity, part) = (next.key, next.value)
            if pending?.entity != entity {
                try finish()
                pending = (entity, EntityAccumulator(entity, sharing: shared))
                owners.removeAll()
            }
            switch part {
            case .request(let part):
                if request?.request.uuid != part.request.uuid { try finishRequest() }
                if request == nil { request = part } else { request?.add(part) }
            case .owner(let owner): owners[owner.bundleID] = owner
            case .unclaimed(var purchase):
                purchase.owner = owners[purchase.bundleID] ?? owners.values.first?.unseen
                try onUnclaimed(purchase)
            case .crowd, .claim, .finding: break
            }
            if let note = pending?.parts.add(part) { try onMark(EntityMark(entity, note.finding, note.severity)) }
        }
        try finish()
    }
}

/// The sort key of a row in the table `entities`: by highest score, most at stake, latest
/// presentation, id and kind.
package struct EntityOrder: SortedRecord {
    package var entity: Entity
    /// The score in tenths of a point.
    package var score = 0
    /// The amount at stake, in millionths of a currency's unit; 0 if nothing has a price.
    package var stake: Int64 = 0
    package var lastPresented: Instant?

    package init(_ entity: Entity) { self.entity = entity }

    package init(_ row: EntityRow) {
        self.init(row.entity)
        score = row.score
        lastPresented = row.lastPresented
        stake = row.atStake?.millionths ?? 0
    }

    package static var unread: EntityOrder { EntityOrder(Entity.unread) }

    /// The first eight bytes of the sort key.
    package var prefix: UInt64 { UInt64.max - UInt64(clamping: score) }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        // The greatest comes first. Moving the sign makes numbers compare like bytes.
        var money = ~(UInt64(bitPattern: stake) ^ 1 << 63)
        try coder.sortable(&money)
        var date = ~(UInt64(bitPattern: lastPresented?.milliseconds ?? .min) ^ 1 << 63)
        try coder.sortable(&date)
        var id = entity.id
        try coder.sortable(&id)
        try entity.code(&coder)
    }
}
