extension FixedWidthInteger {
    /// Returns the sum, clamped to the range: counts from files may overflow.
    public func addingSaturating(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        guard overflow else { return sum }
        return other < 0 ? .min : .max
    }

    /// Returns the difference, clamped to the range.
    public func subtractingSaturating(_ other: Self) -> Self {
        let (difference, overflow) = subtractingReportingOverflow(other)
        guard overflow else { return difference }
        return Self.isSigned && other < 0 ? .max : .min
    }
}

/// Returns a number with its noun: `1 byte`, `2 bytes`.
///
/// - Parameter digits: formats the number.
package func counted(_ number: Int, _ noun: String, _ digits: (Int) -> String = { String($0) }) -> String {
    "\(digits(number)) \(noun)\(number == 1 ? "" : "s")"
}

extension Int {
    /// The number with thousands separators: `1,000,000`.
    package var grouped: String {
        var text = ""
        for (index, digit) in String(self).reversed().enumerated() {
            if index > 0, index % 3 == 0, digit != "-" { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
