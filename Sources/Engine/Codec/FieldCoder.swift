package import Encodings
package import Rules

/// Writes or reads the fields of a record in order. A stored type declares its fields once, in a function `code(_:)`
/// that is generic over the coder, so reading always matches writing.
///
/// Spill files, the ledger and the lines between `audit map` and `audit reduce` all use this encoding. Numbers are
/// LEB128, texts and bytes follow their length, dates are milliseconds since 1970.
package protocol FieldCoder: ~Escapable {
    /// `RecordError` for a reader, `Never` for a writer.
    associatedtype Failure: Error
    /// Whether the coder reads values. If not, it writes them.
    static var isReading: Bool { get }

    /// Codes one byte.
    mutating func byte(_ value: inout UInt8) throws(Failure)
    /// Codes a number in LEB128: seven bits per byte, the least significant first, so small numbers take few bytes.
    mutating func number(_ value: inout UInt64) throws(Failure)
    /// Codes a number in eight bytes, the most significant first, so that records sort by it.
    mutating func sortable(_ value: inout UInt64) throws(Failure)
    /// Codes the length of a text and its UTF-8.
    mutating func text(_ value: inout ExactText) throws(Failure)
    /// Codes a text by which records sort: 0 is written as 0 and 255, and two 0s end the text.
    mutating func sortable(_ value: inout ExactText) throws(Failure)
    /// Codes the length of bytes, and the bytes.
    mutating func octets(_ value: inout [UInt8]) throws(Failure)
    /// Begins a group of at most 16 optional fields, with one presence bit each.
    mutating func beginBits() throws(Failure) -> PresenceBits
    /// Ends the group.
    mutating func end(_ bits: PresenceBits)
    /// Throws when reading, because no writer can have written the value.
    func reject() throws(Failure)
}

/// The presence of the fields of a group: one bit per field, in declaration order.
package struct PresenceBits {
    var bits: UInt16
    private var next: UInt16 = 1
    /// The position of the bits in the output.
    let position: Int

    init(bits: UInt16, position: Int) { (self.bits, self.position) = (bits, position) }

    /// Returns the next bit: `value` when writing, and the stored bit when reading.
    fileprivate mutating func take(_ value: Bool, isReading: Bool) -> Bool {
        precondition(next != 0, "a group has at most 16 fields")
        defer { next &<<= 1 }
        if isReading { return bits & next != 0 }
        if value { bits |= next }
        return value
    }
}

extension FieldCoder where Self: ~Escapable {
    /// Codes a flag as the next bit of a group.
    @inline(__always)
    package mutating func flag(_ value: inout Bool, _ bits: inout PresenceBits) {
        value = bits.take(value, isReading: Self.isReading)
    }

    /// Codes the next bit of a group, and returns whether its field is present.
    @inline(__always)
    package mutating func isPresent(_ value: Bool, _ bits: inout PresenceBits) -> Bool {
        bits.take(value, isReading: Self.isReading)
    }

    /// Codes a flag as a byte, 0 or 1.
    package mutating func bool(_ value: inout Bool) throws(Failure) {
        var byte: UInt8 = value ? 1 : 0
        try self.byte(&byte)
        if byte > 1 { try reject() }
        value = byte == 1
    }

    /// Codes a signed number in LEB128, with the sign in the lowest bit (zigzag).
    package mutating func signed(_ value: inout Int64) throws(Failure) {
        var number = UInt64(bitPattern: value &<< 1 ^ value >> 63)
        try self.number(&number)
        value = Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    /// Codes a number that is not negative.
    package mutating func count(_ value: inout Int) throws(Failure) {
        var number = UInt64(max(0, value))
        try self.number(&number)
        guard let count = Int(exactly: number) else {
            value = 0
            return try reject()
        }
        value = count
    }

    /// Codes a date, in half the bytes if it has no fraction of a second, like all dates of receipts.
    package mutating func instant(_ value: inout Instant) throws(Failure) {
        let isWhole = value.milliseconds % 1000 == 0
        var number = isWhole ? value.milliseconds / 1000 : value.milliseconds
        // The lowest bit distinguishes seconds from milliseconds, where both fit.
        let fits = number.magnitude < 1 << 61
        var coded = fits ? number &<< 2 | (isWhole ? 0 : 1) : 2
        try signed(&coded)
        switch coded & 3 {
        case 0:
            let (milliseconds, overflow) = (coded >> 2).multipliedReportingOverflow(by: 1000)
            value = Instant(milliseconds: milliseconds)
            if overflow { try reject() }
        case 1: value = Instant(milliseconds: coded >> 2)
        default:
            number = value.milliseconds
            var bits = UInt64(bitPattern: number)
            try sortable(&bits)
            value = Instant(milliseconds: Int64(bitPattern: bits))
        }
    }

    /// Codes a date as its distance from another one.
    package mutating func instant(_ value: inout Instant, since other: Instant) throws(Failure) {
        var distance = Instant(milliseconds: value.milliseconds &- other.milliseconds)
        try instant(&distance)
        value = Instant(milliseconds: distance.milliseconds &+ other.milliseconds)
    }

    /// Codes a date that may be absent, as its distance from another one.
    package mutating func instant(
        _ value: inout Instant?, since other: Instant? = nil, _ bits: inout PresenceBits
    ) throws(Failure) {
        guard isPresent(value != nil, &bits) else { return value = nil }
        var instant = value ?? Instant(milliseconds: 0)
        try self.instant(&instant, since: other ?? Instant(milliseconds: 0))
        value = instant
    }

    /// Codes a number that may be absent.
    package mutating func number(_ value: inout Int?, _ bits: inout PresenceBits) throws(Failure) {
        guard isPresent(value != nil, &bits) else { return value = nil }
        var number = Int64(value ?? 0)
        try signed(&number)
        value = Int(number)
    }

    /// Codes a text that may be absent.
    package mutating func text(_ value: inout ExactText?, _ bits: inout PresenceBits) throws(Failure) {
        guard isPresent(value != nil, &bits) else { return value = nil }
        var text = value ?? ""
        try self.text(&text)
        value = text
    }

    /// Codes a flag that may be absent, in two bits.
    package mutating func flag(_ value: inout Bool?, _ bits: inout PresenceBits) throws(Failure) {
        let isThere = isPresent(value != nil, &bits)
        var flag = value ?? false
        self.flag(&flag, &bits)
        value = isThere ? flag : nil
    }

    /// Codes a number of 64 bits that may be absent.
    package mutating func wideNumber(_ value: inout Int64?, _ bits: inout PresenceBits) throws(Failure) {
        guard isPresent(value != nil, &bits) else { return value = nil }
        var number = value ?? 0
        try signed(&number)
        value = number
    }

    /// Codes a text, which is not written if it is empty.
    package mutating func text(_ value: inout ExactText, _ bits: inout PresenceBits) throws(Failure) {
        guard isPresent(!value.isEmpty, &bits) else { return value = "" }
        try text(&value)
    }

    /// Codes a text, which is not written if it equals another.
    package mutating func text(
        _ value: inout ExactText, unless other: ExactText, _ bits: inout PresenceBits
    ) throws(Failure) {
        if isPresent(value == other, &bits) { value = other } else { try text(&value) }
    }

    /// Codes an id: as a number if it is a decimal number, otherwise as a text.
    package mutating func id(
        _ value: inout ExactText, unless other: ExactText, _ bits: inout PresenceBits
    ) throws(Failure) {
        if isPresent(value == other, &bits) { return value = other }
        var number = Self.isReading ? 0 : value.decimal.map { $0 + 1 } ?? 0
        try self.number(&number)
        if number == 0 {
            try text(&value)
        } else if Self.isReading {
            value = ExactText(String(number - 1))
        }
    }

    /// Codes a value that may be absent.
    package mutating func value<Value: Recorded>(_ value: inout Value?, _ bits: inout PresenceBits) throws(Failure) {
        guard isPresent(value != nil, &bits) else { return value = nil }
        var found = value ?? .unread
        try found.code(&self)
        value = found
    }

    /// Codes bytes, which are not written if there are none.
    package mutating func octets(_ value: inout [UInt8], _ bits: inout PresenceBits) throws(Failure) {
        guard isPresent(!value.isEmpty, &bits) else { return value = [] }
        try octets(&value)
    }

    /// Codes the number of elements of a list, and the elements.
    package mutating func list<Element>(
        _ elements: inout [Element], of placeholder: @autoclosure () -> Element,
        _ code: (inout Element, inout Self) throws(Failure) -> Void
    ) throws(Failure) {
        var count = elements.count
        try self.count(&count)
        guard Self.isReading else {
            // The list may be shared: this copies each element, but not the whole list with its memory.
            for var element in elements { try code(&element, &self) }
            return
        }
        elements.removeAll(keepingCapacity: true)
        // An inflated count hits the end of the record.
        for _ in 0..<count {
            var element = placeholder()
            try code(&element, &self)
            elements.append(element)
        }
    }

    /// Codes a list of values.
    package mutating func list<Element: Recorded>(_ elements: inout [Element]) throws(Failure) {
        try list(&elements, of: .unread) { (element, coder) throws(Failure) in try element.code(&coder) }
    }

    /// Codes a list of texts.
    package mutating func texts(_ texts: inout [ExactText]) throws(Failure) {
        try list(&texts, of: "") { (text, coder) throws(Failure) in try coder.text(&text) }
    }

    /// Codes the number of a claim, so that records sort by it.
    package mutating func sortable(_ claim: inout ClaimNumber) throws(Failure) {
        var value = claim.rawValue
        try sortable(&value)
        claim = ClaimNumber(rawValue: value)
    }

    /// Codes a list of strings.
    package mutating func strings(_ strings: inout [String]) throws(Failure) {
        var texts = Self.isReading ? [] : strings.map { ExactText($0) }
        try self.texts(&texts)
        if Self.isReading { strings = texts.map(\.text) }
    }

    /// Codes a string.
    package mutating func string(_ string: inout String) throws(Failure) {
        var text = ExactText(string)
        try self.text(&text)
        string = text.text
    }

    /// Codes a case of an enumeration as its raw value.
    package mutating func code<Value: RawRepresentable>(
        _ value: inout Value
    ) throws(Failure) where Value.RawValue == UInt8 {
        var raw = value.rawValue
        try byte(&raw)
        guard let read = Value(rawValue: raw) else { return try reject() }
        value = read
    }

    /// Codes a case of an enumeration as its index among all cases.
    package mutating func place<Value: CaseIterable & Equatable>(
        of value: inout Value
    ) throws(Failure) where Value.AllCases == [Value] {
        var place = UInt8(truncatingIfNeeded: Value.allCases.firstIndex(of: value) ?? 0)
        try byte(&place)
        guard Value.allCases.indices.contains(Int(place)) else { return try reject() }
        value = Value.allCases[Int(place)]
    }
}

extension ExactText {
    /// The value of a text that is the canonical decimal form of a number below 10^18; otherwise `nil`.
    fileprivate var decimal: UInt64? {
        let octets = utf8.span
        guard (1...18).contains(octets.count), octets[0] != 0x30 || octets.count == 1 else { return nil }
        var number: UInt64 = 0
        for index in octets.indices {
            let digit = octets[index] &- 0x30
            guard digit < 10 else { return nil }
            number = number &* 10 &+ UInt64(digit)
        }
        return number
    }
}
