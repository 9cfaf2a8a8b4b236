/// Names as columns have space for them.
extension OverviewSheet {
    /// Returns a name as far as the first column has space for it; the sheet to which it leads has all of it.
    static func shownName(_ name: String) -> String { name.count > 36 ? name.prefix(35) + "…" : name }

    /// Breaks the name of an app between its parts, where a column of numbers is narrower than it.
    static func lines(of name: String) -> [String] {
        var lines: [String] = []
        for part in name.prefix(100).split(separator: ".", omittingEmptySubsequences: false) {
            if let line = lines.last, line.count + part.count < 13 {
                lines[lines.count - 1] = line + "." + part
            } else if let line = lines.last {
                lines[lines.count - 1] = line + "."
                lines.append(String(part))
            } else {
                lines.append(String(part))
            }
        }
        return lines
    }
}
