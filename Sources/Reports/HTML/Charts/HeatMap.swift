/// Draws shares by two things, such as a cohort and the renewals since, as cells that are darker for larger shares.
///
/// A strip along the bottom of a cell shows how many are not known: they are in no share.
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
        // Its size depends on no text, which may be anybody's.
        let left = section.columns.first == "app" ? 250.0 : 64
        let (top, width, height, strip) = (20.0, 40.0, 22.0, 5.0)
        var svg = SVG(
            id: section.id,
            title: "\(section.title): \(rows.count) rows, \(columns.count) columns; the table below has the numbers",
            width: left + width * Double(columns.count) + 1, height: top + height * Double(rows.count) + 1)
        for (index, column) in columns.enumerated() {
            svg.text(left + width * (Double(index) + 0.5), 13, column, "quiet middle")
        }
        for (number, row) in rows.enumerated() {
            let y = top + height * Double(number)
            svg.text(0, y + 15, OverviewSheet.shownName(row.name), "quiet")
            for (index, column) in columns.enumerated() {
                guard let cell = row.shares[column]?.partsOfShare, cell.whole > 0 || cell.unknown > 0 else { continue }
                let x = left + width * Double(index)
                let tip = "\(row.name), \(column): \(cell.sentence)"
                var label = "?"
                if cell.whole > 0 {
                    let share = min(max(Double(cell.part) / Double(cell.whole), 0), 1)
                    svg.rect(x, y, width, height, "heat", opacity: 0.05 + 0.6 * share, title: tip)
                    label = String(Int((share * 100).rounded()))
                }
                let part = width * Double(cell.unknown) / (Double(cell.whole) + Double(cell.unknown))
                svg.rect(x, y + height - strip, part, strip, "third", .hatched, title: tip)
                svg.text(x + width / 2, y + 14, label, "middle")
            }
        }
        return Chart(section.title + ", in percent", isWide: true, svg, note: note(section, grid))
    }

    private static func note(_ section: Summary.Section, _ grid: Grid) -> String {
        let isCut = grid.rows.count > maxRows || grid.columns.count > maxColumns
        let areRenewals = grid.columns.allSatisfy { Int($0) != nil }
        return "Down: \(section.columns.first ?? "")\(areRenewals ? ". Across: renewals" : "")."
            + (grid.rows.contains { $0.shares.values.contains { ($0.partsOfShare?.unknown ?? 0) > 0 } }
                ? " Hatched at the bottom: the part that is not known, as no proof says whether it was renewed." : "")
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
    var isShare: Bool { partsOfShare != nil }

    /// The numbers of a share; `nil` for other cells.
    fileprivate var partsOfShare: SharedParts? {
        switch self {
        case .share(let part, let whole): SharedParts(part: part, whole: whole, unknown: 0)
        case .knownShare(let part, let whole, let unknown): SharedParts(part: part, whole: whole, unknown: unknown)
        case .none, .tenths, .text, .code, .number, .date, .cutMonth, .money: nil
        }
    }
}

/// How many things a share is of, and of how many others nothing is known.
private struct SharedParts {
    let part: Int
    let whole: Int
    let unknown: Int

    /// `85.7 %, 12 of 14; 3 not known`.
    var sentence: String {
        let share = Summary.Cell.share(part, of: whole).displayText
        let known = whole > 0 ? ["\(share), \(grouped(part)) of \(grouped(whole))"] : []
        return (known + (unknown > 0 ? ["\(grouped(unknown)) not known"] : [])).joined(separator: "; ")
    }
}
