import Encodings
package import Files
package import Rules
import Sorting

/// Brings together what links say of one entity, for one entity or for all.
package final class EntityPartSorter {
    private let sorter: RecordSorter
    private var record = RecordWriter()

    package init(_ storage: Storage) { sorter = RecordSorter(budget: storage.memory, folder: storage.folder) }

    /// Adds a part of an entity.
    package func add(_ entity: Entity, _ part: EntityPart) throws(FileError) {
        var (entity, part) = (entity, part)
        record.removeAll()
        entity.code(&record)
        part.code(&record)
        try sorter.add(entity.prefix, record)
    }

    /// Calls a body with the row of each entity that findings are about, by kind and id, and starts again with none.
    ///
    /// - Parameters:
    ///   - onMark: called with each finding of an entity, before its row.
    ///   - onRequest: called with each refund that Apple asks about.
    package func forEachRow(
        _ rules: RuleSet, onMark: (EntityMark) throws -> Void = { _ in }, onRequest: (RefundRequest) throws -> Void,
        _ body: (EntityRow) throws -> Void
    ) throws {
        var merge = try RunMerge(sorter.finish())
        var pending: (entity: Entity, parts: EntityAccumulator)?
        var request: RefundRequest?
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
                pending = (entity, EntityAccumulator(entity))
            }
            if case .request(let part) = part {
                if request?.request.uuid != part.request.uuid { try finishRequest() }
                if request == nil { request = part } else { request?.add(part) }
            }
            if let note = pending?.parts.add(part) { try onMark(EntityMark(entity, note.finding, note.severity)) }
            try merge.advance()
        }
        try finish()
    }
}

/// Sorts rows into the order of the table `entities`: highest score first, then by kind and id.
package final class EntitySorter {
    private let sorter: RecordSorter
    private var record = RecordWriter()

    package init(_ storage: Storage) { sorter = RecordSorter(budget: storage.memory, folder: storage.folder) }

    /// Adds a row.
    package func add(_ row: EntityRow) throws(FileError) {
        var row = row
        record.removeAll()
        row.code(&record)
        try sorter.add(Self.prefix(of: row.score), record)
    }

    /// Adds a row that was written in some format.
    ///
    /// - Parameter score: in tenths of a point.
    package func add(_ entity: Entity, score: Int, _ text: String) throws(FileError) {
        var (entity, text) = (entity, ExactText(text))
        record.removeAll()
        entity.code(&record)
        record.text(&text)
        try sorter.add(Self.prefix(of: score), record)
    }

    private static func prefix(of score: Int) -> UInt64 { UInt64.max - UInt64(clamping: score) }

    /// Calls a body with each row, once.
    package func forEach(_ body: (EntityRow) throws -> Void) throws {
        try forEachRecord { record in
            try body(
                RecordReader.read(record, EntityRow(Entity(.account, ""))) { (row, fields) throws(RecordError) in
                    try row.code(&fields)
                })
        }
    }

    /// Calls a body with each row's text, once.
    package func forEachText(_ body: (String) throws -> Void) throws {
        try forEachRecord { record in
            let row = try RecordReader.read(record, (Entity(.account, ""), ExactText(""))) {
                (next, fields) throws(RecordError) in
                try next.0.code(&fields)
                try fields.text(&next.1)
            }
            try body(row.1.text)
        }
    }

    private func forEachRecord(_ body: (Span<UInt8>) throws -> Void) throws {
        var merge = try RunMerge(sorter.finish())
        while !merge.isAtEnd {
            try merge.withRecord { try body($0) }
            try merge.advance()
        }
    }
}
