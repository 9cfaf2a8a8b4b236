package import Encodings

/// Writes or reads the fields of a record in order. A type that is stored declares its fields once, in a function
/// `code(_:)` that is generic over the coder, and so cannot be read in another way than it is written.
///
/// Spill files, the ledger and the lines between `audit map` and `audit reduce` are all in this one encoding. Numbers
/// are LEB128, texts and octets follow their length, dates are milliseconds since 1970.
package protocol FieldCoder: ~Escapable {
    /// `RecordError` for a reader, `Never` for a writer.
    associatedtype Failure: Error
    /// Whether values are read, and not written.
    static var isReading: Bool { get }

    mutating func byte(_ value: inout UInt8) throws(Failure)
    /// In few bytes if it is small: seven bits a byte, the least significant first (LEB128).
    mutating func number(_ value: inout UInt64) throws(Failure)
    /// In eight bytes, the most significant first, so that records sort by it.
    mutating func sortable(_ value: inout UInt64) throws(Failure)
    mutating func text(_ value: inout ExactText) throws(Failure)
    /// A text by which records sort: 0 is written as 0 and 255, and two 0s end the text.
    mutating func sortable(_ value: inout ExactText) throws(Failure)
    mutating func octets(_ value: inout [UInt8]) throws(Failure)
    /// Begins a group of at most 16 fields that may be absent: each has a bit.
    mutating func beginBits() throws(Failure) -> PresenceBits
    /// Ends the group.
    mutating func end(_ bits: PresenceBits)
    /// Says that what was read cannot have been written.
    func reject() throws(Failure)
}

/// Which fields of a group are present: a bit for each, in the order in which they are declared.
package struct PresenceBits {
    var bits: UInt16
    private var next: UInt16 = 1
    /// Where the writer puts the bits.
    let position: Int

    init(bits: UInt16, position: Int) { (self.bits, self.position) = (bits, position) }

    /// The next bit: `value` when writing, and as it was written when reading.
    fileprivate mutating func take(_ value: Bool, isReading: Bool) -> Bool {
        defer { next &<<= 1 }
        if isReading { return bits & next != 0 }
        if value { bits |= next }
        return value
    }
}

extension FieldCoder where Self: ~Escapable {
    @inline(__always)
    package mutating func flag(_ value: inout Bool, _ bits: inout PresenceBits) {
        value = bits.take(value, isReading: Self.isReading)
    }

    @inline(__always)
    package mutating func isPresent(_ value: Bool, _ bits: inout PresenceBits) -> Bool {
        bits.take(value, isReading: Self.isReading)
    }

    package mutating func bool(_ value: inout Bool) throws(Failure) {
        var byte: UInt8 = value ? 1 : 0
        try self.byte(&byte)
        if byte > 1 { try reject() }
        value = byte == 1
    }

    package mutating func signed(_ value: inout Int64) throws(Failure) {
        var number = UInt64(bitPattern: value &<< 1 ^ value >> 63)
        try self.number(&number)
        value = Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    /// A number that is not negative.
    package mutating func count(_ value: inout Int) throws(Failure) {
        var number = UInt64(max(0, value))
        try self.number(&number)
        guard let count = Int(exactly: number) else {
            value = 0
            return try reject()
        }
        value = count
    }

    /// Half as many bytes if there are only whole seconds, as in all dates of receipts.
    package mutating func instant(_ value: inout Instant) throws(Failure) {
        let isWhole = value.milliseconds % 1000 == 0
        var number = isWhole ? value.milliseconds / 1000 : value.milliseconds
        // The lowest bit tells seconds from milliseconds, where both fit.
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

    package mutating func instant(_ value: inout Instant, since other: Instant) throws(Failure) {
        var distance = Instant(milliseconds: value.milliseconds &- other.milliseconds)
        try instant(&distance)
        value = Instant(milliseconds: distance.milliseconds &+ other.milliseconds)
    }

    package mutating func instant(
        _ value: inout Instant?, since other: Instant? = nil, _ bits: inout PresenceBits
    ) throws(Failure) {
        guard isPresent(value != nil, &bits) else { return value = nil }
        var instant = value ?? Instant(milliseconds: 0)
        try self.instant(&instant, since: other ?? Instant(milliseconds: 0))
        value = instant
    }

    package mutating func number(_ value: inout Int?, _ bits: inout PresenceBits) throws(Failure) {
        guard isPresent(value != nil, &bits) else { return value = nil }
        var number = Int64(value ?? 0)
        try signed(&number)
        value = Int(number)
    }

    package mutating func text(_ value: inout ExactText?, _ bits: inout PresenceBits) throws(Failure) {
        guard isPresent(value != nil, &bits) else { return value = nil }
        var text = value ?? ""
        try self.text(&text)
        value = text
    }

    /// A flag that may be absent, in two bits.
    package mutating func flag(_ value: inout Bool?, _ bits: inout PresenceBits) throws(Failure) {
        let isThere = isPresent(value != nil, &bits)
        var flag = value ?? false
        self.flag(&flag, &bits)
        value = isThere ? flag : nil
    }

    package mutating func wideNumber(_ value: inout Int64?, _ bits: inout PresenceBits) throws(Failure) {
        guard isPresent(value != nil, &bits) else { return value = nil }
        var number = value ?? 0
        try signed(&number)
        value = number
    }

    /// A text that is not written if it is empty.
    package mutating func text(_ value: inout ExactText, _ bits: inout PresenceBits) throws(Failure) {
        guard isPresent(!value.isEmpty, &bits) else { return value = "" }
        try text(&value)
    }

    /// A text that is not written if it is the same as another.
    package mutating func text(
        _ value: inout ExactText, unless other: ExactText, _ bits: inout PresenceBits
    ) throws(Failure) {
        if isPresent(value == other, &bits) { value = other } else { try text(&value) }
    }

    /// An id, which is mostly a decimal number: the number then, else the text.
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

    /// A list, with how many there are.
    package mutating func list<Element>(
        _ elements: inout [Element], of placeholder: @autoclosure () -> Element,
        _ code: (inout Element, inout Self) throws(Failure) -> Void
    ) throws(Failure) {
        var count = elements.count
        try self.count(&count)
        guard Self.isReading else {
            // Others hold the list, too: each element is copied, and not all of them with their memory.
            for var element in elements { try code(&element, &self) }
            return
        }
        elements = []
        // What says that there are more than there can be runs into the record's end.
        for _ in 0..<count {
            var element = placeholder()
            try code(&element, &self)
            elements.append(element)
        }
    }

    package mutating func texts(_ texts: inout [ExactText]) throws(Failure) {
        try list(&texts, of: "") { (text, coder) throws(Failure) in try coder.text(&text) }
    }

    /// One of the cases of an enumeration, as its raw value.
    package mutating func code<Value: RawRepresentable>(
        _ value: inout Value
    ) throws(Failure) where Value.RawValue == UInt8 {
        var raw = value.rawValue
        try byte(&raw)
        guard let read = Value(rawValue: raw) else { return try reject() }
        value = read
    }

    /// One of the cases of an enumeration, as its place among them.
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
    /// The number whose decimal digits this is, exactly as they are written for a number; `nil` if it is none below 10^18.
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
