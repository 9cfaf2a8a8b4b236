/// Claims by verdict: one bar, and below it what its parts are.
enum VerdictBar {
    static func chart(_ section: Summary.Section) -> Chart? {
        let parts = section.rows.compactMap { row -> (name: String, count: Int, share: String)? in
            guard row.count > 2, let count = row[1].count else { return nil }
            return (row[0].plainText, count, row[2].displayText)
        }
        let total = parts.map { Double($0.count) }.reduce(0, +)
        guard total > 0 else { return nil }
        let words = parts.map { "\($0.name) \(grouped($0.count)) (\($0.share))" }
        var svg = SVG(
            id: section.id, title: "Claims by verdict: " + words.joined(separator: ", "), width: 360,
            height: 58)
        var x = 0.0
        for (index, part) in parts.enumerated() {
            let (style, fill) = style(of: part.name)
            let width = 360 * Double(part.count) / total
            svg.rect(x, 0, max(width - 1.5, 0.75), 28, style, fill, title: words[index])
            x += width
            let start = 120 * Double(index)
            svg.rect(start, 42, 12, 12, style, fill)
            svg.text(start + 18, 52, part.name)
        }
        return Chart("Verdicts", svg)
    }

    private static func style(of verdict: String) -> (String, SVG.Fill) {
        switch verdict {
        case "valid": ("good", .solid)
        case "invalid": ("bad", .hatched)
        default: ("odd", .dotted)
        }
    }
}
