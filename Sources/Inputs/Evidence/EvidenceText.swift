public import Encodings

/// Finds the tokens in a text of evidence in the forms in which companies store it: a token by itself, or notifications
/// and answers of the App Store Server API in JSON, in a row of a table, in the wrappers of queues, streams and
/// databases, and in strings of JSON or base64 of it.
///
/// Anybody may write between and beside what Apple sent. So a text is read in several ways, and each of them adds what
/// the others missed: as a whole; line by line, because a quote or bracket may have joined lines that are texts of their
/// own; and as runs of the characters of tokens, whatever stands around them. A hostile text costs a few times as much
/// as one without strings of JSON, because each string is decoded once.
public struct EvidenceText: Sendable {
    /// The names of members that hold a token, or an array of tokens.
    public static let names: [ExactText] = [
        "signedPayload", "signedTransactionInfo", "signedRenewalInfo", "signedTransactions", "signedAppTransactionInfo",
    ]
    /// The names of arrays that are empty if Apple's server has nothing to report.
    private static let lists = ["signedTransactions", "notificationHistory", "lastTransactions", "data"].map {
        Array($0.utf8)
    }
    /// The maximum nesting of objects and arrays in one JSON text.
    private static let maxDepth = 64
    /// The maximum nesting of strings.
    private static let maxLayers = 8
    /// The maximum number of values in a text. A page of the API has some hundred.
    private static let maxValues = 1 << 20
    /// The same, and the number of bytes, for JSON in a string.
    private static let maxInnerValues = 1 << 16
    private static let maxInnerSize = 4 << 20

    /// A token, or what has the place of one.
    public struct Found: Sendable {
        public let octets: [UInt8]
        /// Its line in a text of several ones, from 0; `nil` if the text was read as a whole.
        public let line: Int?

        /// Whether it begins like a token and ends within it.
        public var isCut: Bool { octets.span.isCutToken }
    }

    /// The tokens, in order; first those that the text as a whole shows.
    public private(set) var found: [Found] = []
    /// A text without a sign of a token, which is checked as it is; `nil` if it is something else.
    public private(set) var other: [UInt8]?
    /// The reason why tokens may be missing; `nil` if everything was read.
    public private(set) var fault: EvidenceFault?
    /// The number of places where a token begins that is cut off, or that other text hides.
    public internal(set) var lost = 0

    public var tokens: [[UInt8]] { found.map(\.octets) }
    /// What a text without a token looks like; `nil` if it says that there is nothing.
    public private(set) var look: SeenValue?
    /// Whether it is empty on purpose, like an empty page of the API.
    public var isEmpty: Bool { found.isEmpty && fault == nil && other == nil && !isVacant }
    /// Whether it is a row of a table in which nothing may be a token.
    public private(set) var isVacant = false
    /// The pages of the API's answers in it.
    public private(set) var pages: [Page] = []

    private var isStatedEmpty = false
    /// The number of decoded notifications, and whether a notification as Apple signed it stands beside them.
    private var decodedNotifications = 0
    private var hasNotification = false
    /// Whether text that begins like a token is neither one nor JSON in base64.
    var hasUnread = false
    private var line: Int?
    /// The tokens found in the current line, and the strings decoded there.
    var seen: Set<[UInt8]> = []
    /// The strings that begin like base64 of JSON or a token but do not decode.
    var undecoded: Set<[UInt8]> = []
    /// Whether a run of characters is decoded, so that what was found before is not found again.
    var isInRun = false
    /// The same of the text as a whole, while its lines are read.
    private var enclosing: Set<[UInt8]> = []

    /// Reads a text that is not a row of a table.
    public init(_ text: [UInt8]) { self.init(text, columns: nil) }

    /// Reads a text of a block.
    public init(_ item: EvidenceBlock.Item) { self.init(item.text, columns: item.columns) }

    init(_ text: [UInt8], columns: EvidenceColumns?) {
        self.init(reading: text, columns)
        // Text in UTF-16 has a zero beside each character.
        guard found.isEmpty, text.contains(0) else { return }
        let plain = EvidenceText(reading: text.filter { $0 != 0 }, columns)
        if !plain.found.isEmpty || plain.lost > lost { self = plain }
    }

    private init(reading text: [UInt8], _ columns: EvidenceColumns?) {
        let text = text.span.evidenceText
        let document = read(text, columns)
        if !document.isJSON, text.hasLineBreak { addLines(of: text, columns) } else { addRuns(of: text) }
        if let columns, found.isEmpty, !document.isJSON { addNamed(columns.cells(of: text), columns) }
        judge(text, document, columns)
        seen = []
        enclosing = []
        undecoded = []
    }

    /// Whether a name is one of ``names``, in any case and spelling.
    package static func isName(_ name: Span<UInt8>) -> Bool { names.contains { name.isSameName(as: $0.utf8.span) } }

    /// Adds the tokens of a text or a line by its structure: of JSON, of cells, or of a string.
    ///
    /// - Returns: the JSON; `nil` if it does not begin like any.
    private mutating func read(_ text: Span<UInt8>, _ columns: EvidenceColumns?) -> Result<JSONDocument, JSONError>? {
        var result: Result<JSONDocument, JSONError>?
        if text.opensJSON {
            do throws(JSONError) {
                let document = try JSONDocument(text.copy(), maxDepth: Self.maxDepth, maxValues: Self.maxValues)
                add(document, JSONDocument.root, isNamed: false, 0)
                return .success(document)
            } catch {
                result = .failure(error)
            }
        }
        if let columns {
            for cell in columns.cells(of: text) { add(cell.span) }
        } else if result == nil {
            add(text)
        }
        return result
    }

    /// Adds the tokens of each line by itself that the text as a whole does not show.
    private mutating func addLines(of text: Span<UInt8>, _ columns: EvidenceColumns?) {
        enclosing = seen
        var (start, number) = (0, 0)
        while start < text.count {
            var end = start
            while end < text.count, !text[end].isLineBreak { end += 1 }
            let part = text.extracting(start..<end).evidenceText
            if part.count > 0 {
                seen = []
                line = number
                hasUnread = false
                let before = (found.count, lost)
                _ = read(part, columns)
                addRuns(of: part)
                if hasUnread, before == (found.count, lost) { lost += 1 }
            }
            if end < text.count, text[end] == 0x0a { number += 1 }
            start = end + 1
        }
    }

    /// Adds the cells of columns named like tokens that hold no token, so that they are checked.
    private mutating func addNamed(_ cells: [[UInt8]], _ columns: EvidenceColumns) {
        for (index, cell) in cells.enumerated() where columns.isNamed(index) && !cell.span.isNothing {
            append(cell.span.withoutBlanks)
        }
    }

    /// Decides what a text without tokens is, and whether some may be missing.
    private mutating func judge(
        _ text: Span<UInt8>, _ document: Result<JSONDocument, JSONError>?, _ columns: EvidenceColumns?
    ) {
        if found.isEmpty, hasUnread { lost = max(lost, 1) }
        if lost == 0, !found.isEmpty, decodedNotifications > 0, !hasNotification {
            // Tokens are inside, but not what Apple told.
            lost = decodedNotifications
            look = SeenValue(.decodedNotification)
            return fault = EvidenceFault(reason: SeenForm.decodedNotification.noun)
        }
        guard lost == 0 else { return fault = EvidenceFault(reason: EvidenceFault.hidden) }
        defer { if found.isEmpty, !isEmpty { see(text, columns) } }
        if case .failure(let error)? = document, columns == nil, found.isEmpty || error.isAtEnd(of: text) {
            return fault = EvidenceFault(reason: error.description)
        }
        guard found.isEmpty, !isStatedEmpty else { return }
        if case .success(let document)? = document {
            guard Self.hasContent(document) else { return }
            fault = EvidenceFault(reason: "JSON without a signed token")
        } else if let columns {
            let isContent = columns.cells(of: text).contains { $0.span.mayHoldToken }
            guard isContent || columns.areDecoded != nil else { return isVacant = true }
            fault = EvidenceFault(reason: "a row without a signed token")
        } else if text.count > 0 {
            other = text.copy()
        }
    }

    /// Records what a text without a token looks like. A decoded copy of what Apple signed is a token that is lost.
    private mutating func see(_ text: Span<UInt8>, _ columns: EvidenceColumns?) {
        if isVacant {
            look = SeenValue(.placeholder)
        } else {
            look = (columns?.areDecoded ?? SeenForm(decoded: text)).map { SeenValue($0) } ?? SeenValue(text)
        }
        guard let form = look?.form, form == .decodedNotification || form == .transactionJSON else { return }
        lost = 1
        other = nil
        fault = EvidenceFault(reason: form.noun)
    }

    /// Whether it has more content than an empty queue or a deleted record: these have empty lists and objects, numbers
    /// and flags, and empty strings.
    private static func hasContent(_ document: JSONDocument, _ index: Int = JSONDocument.root) -> Bool {
        switch document.kind(index) {
        case .string: !document.octets(index).isNothing
        case .object:
            document.children(of: index).contains { child in
                switch document.kind(child) {
                case .number, .bool: false
                case .null: isName(document.nameOctets(child))
                case .string, .object, .array: hasContent(document, child)
                }
            }
        case .array: document.children(of: index).contains { hasContent(document, $0) }
        case .null: false
        case .bool, .number: true
        }
    }

    private mutating func add(_ document: JSONDocument, _ index: Int, isNamed: Bool, _ layer: Int) {
        switch document.kind(index) {
        case .string: add(document.octets(index), isNamed: isNamed, layer)
        case .object, .array:
            let isObject = document.kind(index) == .object
            if !isObject, let octets = document.octetsOfNumbers(index) {
                return add(octets.span, isNamed: isNamed, layer)
            }
            var isVoid = true
            var members = PageMembers()
            let start = found.count
            for child in document.children(of: index) {
                isVoid = false
                let name = isObject ? document.name(child) : ""
                if isObject { members.add(name, document, child) }
                if isObject, document.kind(child) == .string { note(name) }
                let isKnown = isObject ? Self.isName(name.utf8.span) : isNamed
                if isObject, document.kind(child) == .array,
                    Self.lists.contains(where: { name.utf8.span.isSameName(as: $0.span) }),
                    document.children(of: child).first(where: { _ in true }) == nil
                {
                    isStatedEmpty = true
                }
                add(document, child, isNamed: isKnown, layer)
            }
            if isVoid, index == JSONDocument.root, layer == 0 { isStatedEmpty = true }
            if let page = members.page(start..<found.count) { pages.append(page) }
        case .null, .bool, .number: break
        }
    }

    /// Notes whether a member is that of a notification, decoded or not.
    private mutating func note(_ name: ExactText) {
        let name = name.utf8.span
        if name.isSameName(as: Self.decodedName.span) { decodedNotifications += 1 }
        if name.isSameName(as: Self.signedName.span) { hasNotification = true }
    }

    private static let decodedName = Array("notificationUUID".utf8)
    private static let signedName = Array("signedPayload".utf8)

    /// Adds a string, or the tokens in it.
    ///
    /// - Parameter isNamed: whether it has the name of a token, so that it is checked whatever it is.
    private mutating func add(_ text: Span<UInt8>, isNamed: Bool = false, _ layer: Int = 0) {
        let text = text.withoutBlanks
        guard text.count > 0 else { return }
        if text.isToken { return append(text) }
        let count = found.count
        if text.opensJSON || text[0] == UInt8(ascii: "\"") && text.count > 1 {
            addJSON(text.copy(), layer)
        } else if let inner = text.decodedEvidence {
            record(text, isRead: addDecoded(inner, layer))
        }
        if isNamed, found.count == count { append(text) }
    }

    /// Adds the tokens of JSON in a string.
    ///
    /// - Returns: whether it is JSON.
    @discardableResult
    private mutating func addJSON(_ text: [UInt8], _ layer: Int) -> Bool {
        guard layer < Self.maxLayers, text.count <= Self.maxInnerSize,
            let document = try? JSONDocument(text, maxDepth: Self.maxDepth, maxValues: Self.maxInnerValues)
        else { return false }
        add(document, JSONDocument.root, isNamed: false, layer + 1)
        return true
    }

    /// Adds the tokens of what a string encodes.
    ///
    /// - Returns: whether it was read.
    mutating func addDecoded(_ octets: [UInt8], _ layer: Int) -> Bool {
        guard layer < Self.maxLayers, octets.count <= Self.maxInnerSize else {
            lost += 1
            return true
        }
        let (text, count) = (octets.span.withoutBlanks, found.count)
        let isJSON = text.opensJSON && addJSON(octets, layer)
        if !text.opensJSON { add(text, layer + 1) }
        addRuns(of: text, layer + 1)
        return isJSON || found.count > count
    }

    mutating func append(_ token: Span<UInt8>) {
        let octets = token.copy()
        guard !enclosing.contains(octets), seen.insert(octets).inserted || !isInRun else { return }
        found.append(Found(octets: octets, line: line))
    }

    /// Whether a token was found, or a string decoded, here or in the text as a whole.
    func isKnown(_ text: Span<UInt8>) -> Bool {
        guard !seen.isEmpty || !enclosing.isEmpty else { return false }
        let octets = text.copy()
        return seen.contains(octets) || enclosing.contains(octets)
    }

    /// Records a string that was decoded, and the lines of wrapped base64: they are no tokens that are cut off.
    mutating func record(_ text: Span<UInt8>, isRead: Bool) {
        guard isRead else { return _ = undecoded.insert(text.copy()) }
        seen.insert(text.copy())
        guard text.hasLineBreak else { return }
        var start = 0
        for index in text.indices where text[index].isLineBreak {
            seen.insert(text.extracting(start..<index).copy())
            start = index + 1
        }
        seen.insert(text.extracting(start...).copy())
    }
}

/// The reason why a text of evidence has no token, or more than were found.
public struct EvidenceFault: Error, Equatable, Sendable {
    static let hidden = "the beginning of a token that is cut off, or that other text hides"

    /// In words for a person.
    public let reason: String
}

extension UInt8 {
    fileprivate var isLineBreak: Bool { self == 0x0a || self == 0x0d }
}

extension Span<UInt8> {
    fileprivate var hasLineBreak: Bool { firstIndex(of: 0x0a) != nil || firstIndex(of: 0x0d) != nil }

    /// The bytes without blanks around them, and without a byte order mark.
    fileprivate var evidenceText: Span<UInt8> {
        @_lifetime(copy self) get { withoutBlanks.extracting(withoutBlanks.byteOrderMark...).withoutBlanks }
    }
}

extension Result<JSONDocument, JSONError>? {
    fileprivate var isJSON: Bool {
        if case .success? = self { return true }
        return false
    }
}

extension JSONError {
    /// Whether the text ends before its value does.
    fileprivate func isAtEnd(of text: Span<UInt8>) -> Bool {
        switch self {
        case .endsInside: true
        case .unexpected(let position, _): position >= text.count
        default: false
        }
    }
}
