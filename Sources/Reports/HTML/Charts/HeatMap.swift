/// Draws shares by two dimensions, such as cohorts and their renewals, as cells that are darker for larger shares.
enum HeatMap {
    private static let maxRows = 24
    private static let maxColumns = 36

    struct Grid {
        var columns: [String]
        var rows: [(name: String, shares: [String: Summary.Cell])]
    }

    /// - Returns: `nil` if the section does not have shares by two dimensions.
    static func chart(_ section: Summary.Section) -> Chart? {
        guard let grid = grid(section), !grid.rows.isEmpty else { return nil }
        let (columns, rows) = (grid.columns.prefix(maxColumns), grid.rows.suffix(maxRows))
        let (left, top, width, height) = (64.0, 20.0, 40.0, 22.0)
        var svg = SVG(
            id: section.id,
            title: "\(section.title): \(rows.count) rows, \(columns.count) columns; the table below has the numbers",
            width: left + width * Double(columns.count) + 1, height: top + height * Double(rows.count) + 1)
        for (index, column) in columns.enumerated() {
            svg.text(left + width * (Double(index) + 0.5), 13, column, "quiet middle")
        }
        for (number, row) in rows.enumerated() {
            let y = top + height * Double(number)
            svg.text(0, y + 15, row.name, "quiet")
            for (index, column) in columns.enumerated() {
                guard let cell = row.shares[column], case .share(let part, let whole) = cell, whole > 0 else {
                    continue
                }
                let x = left + width * Double(index)
                let share = min(max(Double(part) / Double(whole), 0), 1)
                svg.rect(
                    x, y, width, height, "heat", opacity: 0.05 + 0.6 * share,
                    title: "\(row.name), \(column): \(cell.displayText), \(grouped(part)) of \(grouped(whole))")
                svg.text(x + width / 2, y + 15, String(Int((share * 100).rounded())), "middle")
            }
        }
        return Chart(section.title + ", in percent", isWide: true, svg, note: note(section, grid))
    }

    private static func note(_ section: Summary.Section, _ grid: Grid) -> String {
        let isCut = grid.rows.count > maxRows || grid.columns.count > maxColumns
        let areRenewals = grid.columns.allSatisfy { Int($0) != nil }
        return "Down: \(section.columns.first ?? "")\(areRenewals ? ". Across: renewals" : "")."
            + (isCut ? " The latest \(maxRows) rows, the first \(maxColumns) columns." : "")
    }

    /// Returns one row per name and one column per share, if there are at least three.
    private static func grid(_ section: Summary.Section) -> Grid? {
        let columns = section.columns.indices.dropFirst().filter { column in
            section.rows.contains { column < $0.count && $0[column].isShare }
        }
        guard columns.count > 2 else { return nil }
        let rows = section.rows.map { row in
            var shares: [String: Summary.Cell] = [:]
            for column in columns where column < row.count && row[column].isShare {
                shares[section.columns[column]] = row[column]
            }
            return (name: row[0].visibleText, shares: shares)
        }
        return Grid(columns: columns.map { section.columns[$0] }, rows: rows)
    }
}

extension Summary.Cell {
    var isShare: Bool { if case .share = self { true } else { false } }
}
