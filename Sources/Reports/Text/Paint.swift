import Checks
import Rules

/// Colours text for a terminal, or leaves it as it is.
struct Paint {
    enum Color: Int {
        case bold = 1
        case dim = 2
        case red = 31
        case green = 32
        case yellow = 33
        case cyan = 36
    }

    let isColored: Bool

    func callAsFunction(_ text: String, _ color: Color) -> String {
        isColored ? "\u{1b}[\(color.rawValue)m\(text)\u{1b}[0m" : text
    }

    /// The text, coloured, and padded with blanks to a width.
    func callAsFunction(_ text: String, _ color: Color, to width: Int) -> String {
        self(text, color) + TextLayout.padding(text, to: width)
    }
}

extension Paint.Color {
    init(_ verdict: Verdict) {
        switch verdict {
        case .valid: self = .green
        case .invalid: self = .red
        case .unreadable: self = .yellow
        }
    }

    init(_ severity: Severity) {
        switch severity {
        case .critical, .high: self = .red
        case .medium: self = .yellow
        case .low, .info: self = .dim
        }
    }
}
