import Encodings

/// The data after the records of an ``EvidenceIndex``: the starts of pages, the filter, and the settings.
struct IndexLayout: Recorded, Sendable {
    struct Page: Sendable {
        /// The hash of its first record.
        var first: UInt64
        var start: Int
    }

    /// The last bytes of the file.
    static let mark = Array("audit evidence\n".utf8)
    /// The maximum size of the layout: twice that of 65,536 pages and the largest filter.
    static let maxSize = 32 << 20

    var version = RecordVersion.number
    var settings: ExactText = ""
    var count = 0
    var digest: UInt64 = 0
    var recordsEnd = 0
    var pages: [Page] = []
    var filter = HashFilter(expecting: 0)

    mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        var number = UInt64(version)
        try coder.number(&number)
        version = UInt16(truncatingIfNeeded: number)
        try coder.text(&settings)
        try coder.count(&count)
        try coder.sortable(&digest)
        try coder.count(&recordsEnd)
        try coder.list(&pages, of: Page(first: 0, start: 0)) { (page, coder) throws(Coder.Failure) in
            try coder.sortable(&page.first)
            try coder.count(&page.start)
        }
        try filter.code(&coder)
    }

    static var unread: IndexLayout { IndexLayout() }

    /// Whether pages are contiguous and begin at records.
    var isConsistent: Bool {
        guard (count == 0) == pages.isEmpty, pages.first?.start ?? 0 == 0, filter.isConsistent else { return false }
        return zip(pages, pages.dropFirst()).allSatisfy { $0.first < $1.first && $0.start < $1.start }
            && pages.last.map { $0.start < recordsEnd } ?? (recordsEnd == 0)
    }

    /// Returns the number of the page that can have a hash; `nil` if none can.
    func page(of prefix: UInt64) -> Int? {
        let next = pages.firstPlace { $0.first > prefix }
        return next == 0 ? nil : next - 1
    }

    func range(ofPage number: Int) -> Range<Int> {
        pages[number].start..<(number + 1 < pages.count ? pages[number + 1].start : recordsEnd)
    }
}

/// A set of hashes with false positives but no false negatives: one bit per hash.
struct HashFilter: Sendable {
    private static let sizes = 10...26

    private var words: [UInt64]

    /// - Parameter count: the expected number of hashes; sixteen bits for each, up to eight megabytes in all.
    init(expecting count: Int) {
        var size = Self.sizes.lowerBound
        while size < Self.sizes.upperBound, 1 << size < count.multipliedReportingOverflow(by: 16).partialValue {
            size += 1
        }
        words = [UInt64](repeating: 0, count: 1 << (size - 6))
    }

    var isConsistent: Bool { Self.sizes.contains { words.count == 1 << ($0 - 6) } }

    mutating func insert(_ hash: UInt64) {
        let (word, bit) = place(of: hash)
        words[word] |= bit
    }

    func mayContain(_ hash: UInt64) -> Bool {
        let (word, bit) = place(of: hash)
        return words[word] & bit != 0
    }

    private func place(of hash: UInt64) -> (word: Int, bit: UInt64) {
        (Int(truncatingIfNeeded: hash >> 6) & (words.count - 1), 1 << (hash & 63))
    }

    mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.list(&words, of: 0) { (word, coder) throws(Coder.Failure) in try coder.sortable(&word) }
    }
}
