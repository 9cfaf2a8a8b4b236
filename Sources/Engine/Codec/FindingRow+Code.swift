import Checks
import Encodings
package import Rules

/// Records of findings sort like the table `fraud`: most severe first, then the most likely, then by rule, subject,
/// evidence, and finally by all other cells, byte by byte. Only rows with equal cells are equal.
extension FindingRow: SortedRecord {
    package static var unread: FindingRow {
        FindingRow(id: .none, severity: .info, confidence: .likely, rule: "", subject: "")
    }

    private static let sortedRules = RuleBook.ids.sorted()

    package var prefix: UInt64 {
        let severity = UInt64(Severity.critical.rawValue - severity.rawValue)
        let rank = UInt64(Self.sortedRules.firstIndex(of: rule) ?? 0)
        let first = (severity << 2 | UInt64(Confidence.likely.rawValue - confidence.rawValue)) << 8 | rank
        return first << 48 | subject.prefix(6)
    }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        var (evidence, joined) = (ExactText(evidence), ExactText(sources.map(\.text).joined(separator: ";")))
        try coder.sortable(&subject)
        try coder.sortable(&evidence)
        try coder.sortable(&joined)
        try coder.identity(&id)
        try coder.code(&severity)
        try coder.code(&confidence)
        try coder.rule(&rule)
        try coder.count(&claims)
        try coder.count(&devices)
        try coder.count(&accounts)
        try coder.count(&events)
        try coder.count(&unpriced)
        try coder.texts(&sources)
        var bits = try coder.beginBits()
        coder.flag(&isAboutMore, &bits)
        try coder.text(&bundleID, &bits)
        try coder.text(&productID, &bits)
        try coder.text(&deviceID, &bits)
        try coder.text(&accountID, &bits)
        try coder.amount(&atStake, &bits)
        try coder.instant(&lastPresented, &bits)
        coder.end(bits)
        self.evidence = evidence.text
    }
}

extension FieldCoder where Self: ~Escapable {
    mutating func amount(_ amount: inout AmountAtStake?, _ bits: inout PresenceBits) throws(Failure) {
        guard isPresent(amount != nil, &bits) else { return amount = nil }
        var present = amount ?? AmountAtStake(millionths: 0, currency: "")
        try signed(&present.millionths)
        try text(&present.currency)
        try bool(&present.isLeast)
        amount = present
    }

    /// Codes a rule's id as its index in the rule book. The program that wrote records reads them, or another one of
    /// the same version.
    mutating func rule(_ id: inout ExactText) throws(Failure) {
        // Reading refuses an index without a rule.
        var place = Self.isReading ? 0 : RuleBook.ids.firstIndex(of: id) ?? RuleBook.ids.count
        try rule(&place)
        id = RuleBook.ids[place]
    }

    /// Codes a rule as its index in the rule book.
    package mutating func rule(_ place: inout Int) throws(Failure) {
        try count(&place)
        if !RuleBook.ids.indices.contains(place) {
            place = 0
            try reject()
        }
    }
}
