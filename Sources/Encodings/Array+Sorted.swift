extension Array {
    /// Returns the first index from which on a condition holds; the end index if it never does.
    ///
    /// The elements must be sorted so that it holds for all after one for which it holds. It is asked about few of them.
    @inlinable
    public func firstPlace(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Array where Element: Comparable {
    /// Returns whether sorted elements contain one.
    @inlinable
    public func containsSorted(_ element: Element) -> Bool {
        let place = firstPlace { $0 >= element }
        return place < count && self[place] == element
    }
}
