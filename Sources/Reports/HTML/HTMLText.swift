import Mustache

/// Text in HTML, escaped scalar by scalar.
///
/// The templates' own escaping goes by characters, and to it a quotation mark with a combining accent is another
/// character; to a browser it ends the attribute.
struct HTMLText: MustacheContentType {
    /// What every template begins with, so that its texts are escaped here.
    static let pragma: String = {
        MustacheContentTypes.register(HTMLText(), named: "SCALARS")
        return "{{% CONTENT_TYPE: SCALARS}}\n"
    }()

    func escapeText(_ text: String) -> String { Self.escaped(text) }

    static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&", "<", ">", "\"", "'": escaped.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
