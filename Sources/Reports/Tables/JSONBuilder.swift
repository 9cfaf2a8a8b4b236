import Encodings

/// JSON that is written piece by piece, in order.
package struct JSONBuilder: Sendable {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    mutating func object(_ body: (inout JSONBuilder) -> Void) {
        open("{")
        body(&self)
        close("}")
    }

    mutating func array<Element>(of elements: [Element], _ body: (Element, inout JSONBuilder) -> Void) {
        open("[")
        for element in elements { body(element, &self) }
        close("]")
    }

    /// Writes the name of a member. Its value must follow.
    mutating func name(_ name: String) {
        separate()
        JSONString.append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    mutating func member(_ name: String, _ text: String) {
        self.name(name)
        JSONString.append(text, to: &bytes)
        needsComma = true
    }

    mutating func member(_ name: String, _ number: Int) {
        self.name(name)
        bytes.append(decimal: Int64(number))
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func open(_ bracket: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: bracket))
        needsComma = false
    }

    private mutating func close(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(ascii: bracket))
        needsComma = true
    }
}

extension JSONBuilder {
    /// Writes a date three times, like verifyReceipt: `2013-08-01 07:00:00 Etc/GMT`, milliseconds since 1970, and
    /// `2013-08-01 00:00:00 America/Los_Angeles`.
    mutating func dates(_ name: String, _ date: Instant) {
        member(name, Self.clock(date) + " Etc/GMT")
        member(name + "_ms", String(date.milliseconds))
        member(name + "_pst", Self.clock(date.adding(seconds: PacificTime.offset(at: date))) + " America/Los_Angeles")
    }

    /// RFC 3339 in UTC, with a blank instead of `T` and without `Z`.
    private static func clock(_ date: Instant) -> String {
        String(date.description.map { $0 == "T" ? " " : $0 }.dropLast())
    }
}
