/// An alias: `*name`, which stands for what was marked `&name` before it.
///
/// Aliases of aliases make a tree of billions of nodes out of a few lines, and Yams builds and hashes it before we can
/// count. Our files do well without them, so they are looked for in the text, before it is parsed. That finds more than
/// there is, where a comment or a quoted text has both marks with one name, and never less.
struct YAMLAlias: Equatable {
    let name: String
    /// The offset of its asterisk.
    let position: Int

    static func first(in text: Span<UInt8>) -> YAMLAlias? {
        var anchors: Set<[UInt8]> = []
        var position = 0
        while position < text.count {
            let mark = text[position]
            let start = position
            position += 1
            guard mark == UInt8(ascii: "&") || mark == UInt8(ascii: "*") else { continue }
            var name: [UInt8] = []
            while position < text.count, isOfName(text[position]) {
                name.append(text[position])
                position += 1
            }
            guard !name.isEmpty else { continue }
            if mark == UInt8(ascii: "&") {
                anchors.insert(name)
            } else if anchors.contains(name) {
                return YAMLAlias(name: String(decoding: name.prefix(80), as: UTF8.self), position: start)
            }
        }
        return nil
    }

    /// What the YAML library takes for a part of a name.
    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension YAMLFileError.Place {
    /// The place of a byte in a text.
    init(at offset: Int, of bytes: [UInt8]) {
        let before = bytes.prefix(offset)
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        self.init(
            line: before.count { $0 == UInt8(ascii: "\n") } + 1,
            column: before[lineStart...].count { $0 & 0xc0 != 0x80 } + 1)
    }
}
