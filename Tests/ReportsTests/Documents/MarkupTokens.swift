/// Reads HTML as strictly as our templates write it, and no more.
struct MarkupTokens: Equatable {
    struct Tag: Equatable {
        var name: String
        var attributes: [String]
    }
    struct Malformed: Error {
        var offset: Int
        var reason: String
    }

    private(set) var tags: [Tag] = []
    /// What stands between tags, entities as they are.
    private(set) var text = ""
    /// Attributes' values, apart from those of `aria-label`, which name what is shown.
    private(set) var values: [String] = []

    init(_ html: String) throws {
        let scalars = Array(html.unicodeScalars)
        var index = 0
        func string(until stop: Unicode.Scalar) throws -> String {
            guard let end = scalars[index...].firstIndex(of: stop) else {
                throw Malformed(offset: index, reason: "no \(stop)")
            }
            defer { index = end + 1 }
            return String(String.UnicodeScalarView(scalars[index..<end]))
        }
        while index < scalars.count {
            guard scalars[index] == "<" else {
                text.unicodeScalars.append(scalars[index])
                index += 1
                continue
            }
            index += 1
            var tag = try string(until: ">")
            // A `>` inside a value would have been escaped, so that a tag ends at the first one.
            guard !tag.unicodeScalars.contains("<") else { throw Malformed(offset: index, reason: "< in a tag") }
            if tag.hasSuffix("/") { tag.removeLast() }
            let parts = tag.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false).map { String($0) }
            guard parts.count % 2 == 1 else { throw Malformed(offset: index, reason: "an open quote") }
            let names = parts.enumerated().filter { $0.offset % 2 == 0 }.map { $0.element }.joined()
            let words = names.split(separator: " ").map { String($0) }
            tags.append(Tag(name: words.first ?? "", attributes: Array(words.dropFirst())))
            let quoted = parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
            if !words.contains("aria-label=") { values += quoted }
        }
    }

    /// The text with its entities resolved.
    var readableText: String {
        var readable = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "&", rest.first == "#", let end = rest.firstIndex(of: ";"),
                let value = UInt32(String(rest[..<end].dropFirst())), let resolved = Unicode.Scalar(value)
            else {
                readable.append(scalar)
                continue
            }
            readable.append(resolved)
            rest = rest[rest.index(after: end)...]
        }
        return String(readable)
    }
}
