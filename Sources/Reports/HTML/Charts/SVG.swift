import Encodings

/// A drawing of numbers and text. It escapes the text. Colours come from the style sheet, by class.
struct SVG {
    private let width: Double
    private let height: Double
    private let title: String
    private var body = ""
    private let patterns: String

    /// - Parameters:
    ///   - id: a prefix for the drawing's patterns, unique on the page: letters, digits, hyphens.
    ///   - title: a description for people who cannot see it.
    init(id: String, title: String, width: Double, height: Double) {
        self.width = width
        self.height = height
        self.title = title
        patterns = Self.name(id)
    }

    /// The fill of an area, recognizable without its colour.
    enum Fill { case solid, hatched, dotted }

    mutating func rect(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: String, _ fill: Fill = .solid,
        opacity: Double? = nil, title: String = ""
    ) {
        guard width > 0, height > 0 else { return }
        let place = Self.attributes(["x": x, "y": y, "width": width, "height": height])
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
        let place = Self.attributes(["x": x, "y": y])
        body += "<text \(place) class=\"\(Self.name(style))\">\(Self.escaped(text))</text>\n"
    }

    mutating func line(_ x: Double, _ y: Double, to endX: Double, _ endY: Double, _ style: String = "grid") {
        let place = Self.attributes(["x1": x, "y1": y, "x2": endX, "y2": endY])
        body += "<line \(place) class=\"\(Self.name(style))\"/>\n"
    }

    /// Draws a line through at least two points.
    mutating func polyline(_ points: [(x: Double, y: Double)], _ style: String) {
        guard points.count > 1 else { return }
        let places = points.map { "\(Self.number($0.x)),\(Self.number($0.y))" }.joined(separator: " ")
        body += "<polyline points=\"\(places)\" class=\"\(Self.name(style))\"/>\n"
    }

    var markup: String {
        let size = "\(Self.number(width)) \(Self.number(height))"
        let name = Self.escaped(title)
        return """
            <svg viewBox="0 0 \(size)" \(Self.attributes(["width": width, "height": height])) role="img" \
            aria-label="\(name)">
            <title>\(name)</title>
            <defs><pattern id="\(patterns)-hatch" width="6" height="6" patternUnits="userSpaceOnUse">\
            <path d="M-1 1L1 -1M0 6L6 0M5 7L7 5" class="hatch"/></pattern>\
            <pattern id="\(patterns)-dots" width="5" height="5" patternUnits="userSpaceOnUse">\
            <circle cx="2.5" cy="2.5" r="1.1" class="dots"/></pattern></defs>
            \(body)</svg>
            """
    }

    private static func attributes(_ numbers: KeyValuePairs<String, Double>) -> String {
        numbers.map { "\($0.key)=\"\(number($0.value))\"" }.joined(separator: " ")
    }

    /// Formats a number with at most two decimals.
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
