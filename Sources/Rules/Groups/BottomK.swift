/// The least keys of a multitude, up to a limit, each with the least of its notes.
///
/// What is kept depends on what there is and not on its order: a key that was dropped has so many lesser
/// ones that it cannot come back.
struct BottomK<Key: Hashable & Comparable & Sendable, Note: Comparable & Sendable>: Sendable {
    private let limit: Int
    private var notes: [Key: Note] = [:]
    /// The greatest key that is kept, once there were more than twice the limit.
    private var greatest: Key?

    /// How many keys are kept, where nothing else is said.
    static var most: Int { 4096 }

    init(limit: Int = Self.most) { self.limit = limit }

    /// What ``sorted`` gave, read again.
    init(_ sorted: some Sequence<(Key, Note)>, isComplete: Bool) {
        self.init()
        notes = Dictionary(sorted.map { ($0.0, $0.1) }, uniquingKeysWith: min)
        if !isComplete { greatest = notes.keys.max() }
    }

    mutating func insert(_ key: Key, _ note: Note) {
        if let greatest, greatest < key { return }
        if let present = notes[key], present <= note { return }
        notes[key] = note
        if notes.count > 2 * limit { shrink() }
    }

    /// Inserts all keys of another with the same limit, and leaves out what that one has left out.
    mutating func formUnion(_ other: BottomK) {
        if let bound = other.greatest { greatest = greatest.map { min($0, bound) } ?? bound }
        for (key, note) in other.notes { insert(key, note) }
    }

    /// Whether all keys are kept.
    var isComplete: Bool { greatest == nil && notes.count <= limit }

    /// How many keys are kept.
    var count: Int { min(notes.count, limit) }

    /// `12`, or `more than 4096` if there are more than are kept.
    var countText: String { isComplete ? String(count) : "more than \(limit)" }

    /// What is kept, in order.
    var sorted: [(key: Key, note: Note)] {
        let kept = notes.sorted { $0.key < $1.key }
        return kept.prefix(limit).map { ($0.key, $0.value) }
    }

    private mutating func shrink() {
        let kept = sorted
        greatest = kept.last?.key
        notes = Dictionary(kept.map { ($0.key, $0.note) }) { first, _ in first }
    }
}
