/// Colours text for a terminal, or leaves it as it is.
struct Paint {
    enum Color: Int {
        case bold = 1
        case dim = 2
        case red = 31
        case green = 32
        case yellow = 33
    }

    let isColored: Bool

    func callAsFunction(_ text: String, _ color: Color) -> String {
        isColored ? "\u{1b}[\(color.rawValue)m\(text)\u{1b}[0m" : text
    }
}
