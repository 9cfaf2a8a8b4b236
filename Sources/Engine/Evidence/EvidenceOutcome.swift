public import Checks
public import Encodings
public import Inputs
public import Subscriptions

/// How much of one file or folder of evidence counts, and why the rest does not.
public struct EvidenceInput: Sendable, Codable {
    /// As the user wrote it.
    public let name: ExactText
    /// The number of tokens that count, including duplicates.
    public private(set) var counted = 0
    /// The number of tokens and texts that do not count.
    public private(set) var refused = 0
    /// The number of those that may be tokens cut off, hidden in other text, unreadable, or left as a decoded copy.
    public private(set) var lost = 0
    /// The number of texts without any sign of a token.
    public private(set) var others = 0
    /// The number of texts without content, such as an empty page of the API.
    public private(set) var empty = 0
    /// The failed checks of evidence that does not count.
    public private(set) var failedChecks = KindCounts<Check>()
    /// What texts without a token look like, and the first place of one.
    public private(set) var unread = ValueProfile()
    public private(set) var firstUnread: ExactText?

    init(_ name: ExactText) { self.name = name }

    /// Counts a token, or what has the place of one.
    ///
    /// - Parameter isCut: whether it begins like a token and ends within it.
    mutating func count(_ facts: Facts, isCut: Bool) {
        guard facts.verdict != .valid else { return counted = counted.addingSaturating(1) }
        refuse(facts, lost: facts.verdict == .unreadable || isCut ? 1 : 0)
    }

    /// Counts a text without a token, or with less than it may hold.
    mutating func count(textOf facts: Facts, lost: Int) {
        if lost == 0 { others = others.addingSaturating(1) }
        refuse(facts, lost: lost)
    }

    /// Counts what a text without a token looks like.
    mutating func count(_ text: EvidenceText, of item: EvidenceBlock.Item) {
        guard let seen = text.look else { return }
        unread.add(seen, length: item.text.count, text: ValueProfile.shown(item.text.span, seen))
        if firstUnread == nil { firstUnread = item.source }
    }

    mutating func countEmpty() { empty = empty.addingSaturating(1) }

    private mutating func refuse(_ facts: Facts, lost: Int) {
        refused = refused.addingSaturating(max(1, lost))
        self.lost = self.lost.addingSaturating(lost)
        for check in facts.failed.sorted { failedChecks.add(check) }
    }

    static func += (input: inout EvidenceInput, other: EvidenceInput) {
        input.counted = input.counted.addingSaturating(other.counted)
        input.refused = input.refused.addingSaturating(other.refused)
        input.lost = input.lost.addingSaturating(other.lost)
        input.others = input.others.addingSaturating(other.others)
        input.empty = input.empty.addingSaturating(other.empty)
        input.failedChecks += other.failedChecks
        input.unread += other.unread
        input.firstUnread = input.firstUnread ?? other.firstUnread
    }
}

/// How much of a run's evidence counts. Tokens inside other tokens are not counted here.
public struct EvidenceOutcome: Sendable, Codable {
    /// The files and folders with evidence, in order.
    public private(set) var inputs: [EvidenceInput] = []
    /// The pages of the API's answers without their next ones.
    public internal(set) var missingPages = MissingPages()
    /// The tokens that count, by app.
    private var apps = AppTally()

    public init() {}

    public var counted: Int { sum(\.counted) }
    public var refused: Int { sum(\.refused) }
    public var lost: Int { sum(\.lost) }
    public var others: Int { sum(\.others) }
    public var empty: Int { sum(\.empty) }

    private func sum(_ count: KeyPath<EvidenceInput, Int>) -> Int {
        inputs.reduce(0) { $0.addingSaturating($1[keyPath: count]) }
    }

    /// The counts of one file or folder, by its name.
    subscript(name: ExactText) -> EvidenceInput {
        get { inputs.last { $0.name == name } ?? EvidenceInput(name) }
        set {
            if let index = inputs.lastIndex(where: { $0.name == name }) {
                inputs[index] = newValue
            } else {
                inputs.append(newValue)
            }
        }
    }

    /// Counts a token by its app.
    mutating func count(appOf facts: Facts) { if facts.verdict == .valid { apps.count(facts.bundleID) } }

    /// Returns the apps of tokens that count and that are not among those that count, by the number of tokens.
    ///
    /// - Parameter apps: the apps whose evidence counts; `nil` for all.
    public func unnamedApps(besides apps: Set<ExactText>?) -> [(app: ExactText, count: Int)] {
        guard let apps else { return [] }
        return self.apps.sorted.filter { !apps.contains($0.app) }.sorted { ($1.count, $0.app) < ($0.count, $1.app) }
    }

    package static func += (outcome: inout EvidenceOutcome, other: EvidenceOutcome) {
        for input in other.inputs { outcome[input.name] += input }
        outcome.missingPages += other.missingPages
        outcome.apps += other.apps
    }
}
