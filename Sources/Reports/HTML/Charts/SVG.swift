import Encodings

/// A drawing, made of numbers and of text that is escaped here. Colours come from the style sheet, by class.
struct SVG {
    private let width: Double
    private let height: Double
    private let title: String
    private var body = ""
    private let patterns: String

    /// - Parameters:
    ///   - id: distinguishes the drawing's patterns from another's on the page: letters, digits, hyphens.
    ///   - title: what it shows, for those who cannot see it.
    init(id: String, title: String, width: Double, height: Double) {
        self.width = width
        self.height = height
        self.title = title
        patterns = Self.name(id)
    }

    /// How an area is filled, besides by its colour, so that it is told apart without it.
    enum Fill { case solid, hatched, dotted }

    mutating func rect(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: String, _ fill: Fill = .solid,
        opacity: Double? = nil, title: String = ""
    ) {
        guard width > 0, height > 0 else { return }
        let place =
            "x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"\(Self.number(width))\" height=\"\(Self.number(height))\""
        let tip = title.isEmpty ? "" : "<title>\(Self.escaped(title))</title>"
        let shade = opacity.map { " fill-opacity=\"\(Self.number($0))\"" } ?? ""
        body += "<rect \(place) class=\"\(Self.name(style))\"\(shade)>\(tip)</rect>\n"
        switch fill {
        case .solid: break
        case .hatched: body += "<rect \(place) fill=\"url(#\(patterns)-hatch)\" pointer-events=\"none\"/>\n"
        case .dotted: body += "<rect \(place) fill=\"url(#\(patterns)-dots)\" pointer-events=\"none\"/>\n"
        }
    }

    mutating func text(_ x: Double, _ y: Double, _ text: String, _ style: String = "label") {
        body +=
            "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" class=\"\(Self.name(style))\">\(Self.escaped(text))</text>\n"
    }

    mutating func line(_ x: Double, _ y: Double, to endX: Double, _ endY: Double) {
        body +=
            "<line x1=\"\(Self.number(x))\" y1=\"\(Self.number(y))\" x2=\"\(Self.number(endX))\" y2=\"\(Self.number(endY))\" class=\"grid\"/>\n"
    }

    var markup: String {
        let size = "\(Self.number(width)) \(Self.number(height))"
        let name = Self.escaped(title)
        return """
            <svg viewBox="0 0 \(size)" width="\(Self.number(width))" height="\(Self.number(height))" role="img" aria-label="\(name)">
            <title>\(name)</title>
            <defs><pattern id="\(patterns)-hatch" width="6" height="6" patternUnits="userSpaceOnUse">\
            <path d="M-1 1L1 -1M0 6L6 0M5 7L7 5" class="hatch"/></pattern>\
            <pattern id="\(patterns)-dots" width="5" height="5" patternUnits="userSpaceOnUse">\
            <circle cx="2.5" cy="2.5" r="1.1" class="dots"/></pattern></defs>
            \(body)</svg>
            """
    }

    /// With two decimals at most.
    private static func number(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e6 else { return "0" }
        let hundredths = Int((value * 100).rounded())
        let (whole, rest) = (hundredths.magnitude / 100, hundredths.magnitude % 100)
        let decimals = rest == 0 ? "" : "." + (rest < 10 ? "0" : "") + String(rest)
        return (hundredths < 0 ? "-" : "") + String(whole) + decimals
    }

    private static func name(_ text: String) -> String {
        String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == " ") ? $0 : "-" })
    }

    private static func escaped(_ text: String) -> String { HTMLText.escaped(TerminalText.escaped(text)) }
}
