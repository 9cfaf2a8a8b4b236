package import Checks
import Encodings
package import Files
package import Rules
import Sorting
package import Subscriptions

/// Groups the parts of one entity, or of all entities.
package final class EntityPartSorter {
    private let sorter: RecordSorter
    private var record = RecordWriter()

    package init(_ storage: Storage) { sorter = RecordSorter(budget: storage.memory, folder: storage.folder) }

    /// Adds a part of an entity.
    package func add(_ entity: Entity, _ part: EntityPart) throws(FileError) {
        record.removeAll()
        Self.record(entity, part, to: &record)
        try sorter.add(entity.prefix, record)
    }

    /// Adds parts of entities, as records of ``record(_:_:to:)``.
    func add(_ runs: [SortedRun]) throws {
        try RunMerge.forEachRecord(of: runs) { prefix, record in try sorter.add(prefix, record) }
    }

    /// Writes a part of an entity.
    static func record(_ entity: Entity, _ part: EntityPart, to record: inout RecordWriter) {
        var (entity, part) = (entity, part)
        entity.code(&record)
        part.code(&record)
    }

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
        var merge = try RunMerge(sorter.finish())
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
        while !merge.isAtEnd {
            let (entity, part) = try merge.withRecord { record in
                try RecordReader.read(record, (Entity(.account, ""), EntityPart.unread)) {
                    (next, fields) throws(RecordError) in
                    try next.0.code(&fields)
                    try next.1.code(&fields)
                }
            }
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
            try merge.advance()
        }
        try finish()
    }
}

/// The sort key of a row in the table `entities`: by highest score, most at stake, latest
/// presentation, id and kind.
package struct EntityOrder {
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

    /// The first eight bytes of the sort key.
    fileprivate var prefix: UInt64 { UInt64.max - UInt64(clamping: score) }

    fileprivate mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
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

/// Sorts rows into the order of the table `entities`: see ``EntityOrder``.
package final class EntitySorter {
    private let sorter: RecordSorter
    private var record = RecordWriter()

    package init(_ storage: Storage) { sorter = RecordSorter(budget: storage.memory, folder: storage.folder) }

    /// Adds a row.
    package func add(_ row: EntityRow) throws(FileError) {
        var (row, order) = (row, EntityOrder(row))
        record.removeAll()
        order.code(&record)
        row.code(&record)
        try sorter.add(order.prefix, record)
    }

    /// Adds a formatted row.
    package func add(_ order: EntityOrder, _ text: String) throws(FileError) {
        var (order, text) = (order, ExactText(text))
        record.removeAll()
        order.code(&record)
        record.text(&text)
        try sorter.add(order.prefix, record)
    }

    /// Calls a body with each row, once.
    package func forEach(_ body: (EntityRow) throws -> Void) throws {
        try RunMerge.forEachRecord(of: sorter.finish()) { _, record in
            let unread = Entity(.account, "")
            let row = try RecordReader.read(record, (EntityOrder(unread), EntityRow(unread))) {
                (next, fields) throws(RecordError) in
                try next.0.code(&fields)
                try next.1.code(&fields)
            }
            try body(row.1)
        }
    }

    /// Calls a body with each row's text, once.
    package func forEachText(_ body: (String) throws -> Void) throws {
        try RunMerge.forEachRecord(of: sorter.finish()) { _, record in
            let row = try RecordReader.read(record, (EntityOrder(Entity(.account, "")), ExactText(""))) {
                (next, fields) throws(RecordError) in
                try next.0.code(&fields)
                try fields.text(&next.1)
            }
            try body(row.1.text)
        }
    }
}
