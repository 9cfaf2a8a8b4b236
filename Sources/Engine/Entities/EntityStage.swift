import Checks
import Files
import Rules
import Sorting

/// Makes the table `entities` of the links of a run, in bounded memory: links and findings, both by finding, become parts
/// of entities, and these, by entity, rows.
final class EntityStage {
    private let rules: RuleSet
    private let findings: RecordSorter
    private let news: RecordSorter
    private let parts: EntityPartSorter
    private let rows: EntitySorter
    private var record = RecordWriter()
    private var isCompared = false

    init(_ rules: RuleSet, _ storage: Storage) {
        self.rules = rules
        findings = RecordSorter(budget: storage.memory, folder: storage.folder)
        news = RecordSorter(budget: storage.memory, folder: storage.folder)
        parts = EntityPartSorter(storage)
        rows = EntitySorter(storage)
    }

    /// Adds a finding of the table `fraud`.
    func add(_ found: MergedFinding) throws(FileError) {
        var facts = FindingFacts(found)
        record.removeAll()
        facts.code(&record)
        try findings.add(found.id.high, record)
    }

    /// Says whether a finding is new, before the links come.
    func add(_ id: FindingID, isNew: Bool) throws(FileError) {
        isCompared = true
        guard isNew else { return }
        var id = id
        record.removeAll()
        record.identity(&id)
        try news.add(id.high, record)
    }

    /// Takes links as they come in the table `links`, by finding, and makes the rows.
    ///
    /// - Parameters:
    ///   - onMark: called with each entity and finding, by entity.
    ///   - forEachLink: goes through all links.
    func take(onMark: (EntityMark) throws -> Void, links forEachLink: ((LinkRow) throws -> Void) throws -> Void) throws
    {
        var known = try RunMerge(findings.finish())
        var news = try RunMerge(news.finish())
        var expanded = EntityParts()
        var current: FindingID?
        try forEachLink { link in
            if current != link.finding {
                current = link.finding
                var facts = try Self.facts(of: link.finding, &known)
                if isCompared { facts.finding.isNew = try Self.contains(link.finding, &news) }
                expanded.begin(facts)
            }
            try expanded.add(link) { entity, part in try parts.add(entity, part) }
        }
        try parts.forEachRow(rules, onMark: onMark) { try rows.add($0) }
    }

    private static func facts(of id: FindingID, _ known: inout RunMerge) throws -> FindingFacts {
        while !known.isAtEnd {
            let facts = try known.withRecord { record in
                try RecordReader.read(record, FindingFacts()) { (facts, fields) throws(RecordError) in
                    try facts.code(&fields)
                }
            }
            if facts.finding.id == id { return facts }
            guard facts.finding.id < id else { break }
            try known.advance()
        }
        // A link is written only for a finding of the table.
        throw RecordError.malformed
    }

    private static func contains(_ id: FindingID, _ news: inout RunMerge) throws -> Bool {
        while !news.isAtEnd {
            let next = try news.withRecord { record in
                try RecordReader.read(record, FindingID.none) { (id, fields) throws(RecordError) in
                    try fields.identity(&id)
                }
            }
            if next == id { return true }
            guard next < id else { return false }
            try news.advance()
        }
        return false
    }

    /// Goes through the table, once.
    func forEach(_ body: (EntityRow) throws -> Void) throws { try rows.forEach(body) }
}
