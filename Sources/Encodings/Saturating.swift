extension FixedWidthInteger {
    /// The sum, held at the greatest number and the least: what others have counted may be more than there is room for.
    public func addingSaturating(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        guard overflow else { return sum }
        return other < 0 ? .min : .max
    }

    /// The difference, held in the same way.
    public func subtractingSaturating(_ other: Self) -> Self {
        let (difference, overflow) = subtractingReportingOverflow(other)
        guard overflow else { return difference }
        return Self.isSigned && other < 0 ? .max : .min
    }
}
