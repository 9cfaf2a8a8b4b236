import Encodings

/// The first ten of many sources, in the order of claims: by table, then by line; files by path.
public struct FirstSources: Codable, Sendable {
    private static let most = 10

    public private(set) var names: [String] = []

    public init() {}

    public mutating func insert(_ name: String) {
        if names.count == Self.most, let last = names.last, !Self.precedes(name, last) { return }
        let index = names.firstIndex { !Self.precedes($0, name) } ?? names.count
        if index < names.count, names[index].isSpelled(name) { return }
        names.insert(name, at: index)
        if names.count > Self.most { names.removeLast() }
    }

    /// `devices.csv:9` comes before `devices.csv:10`.
    private static func precedes(_ first: String, _ second: String) -> Bool {
        let (a, b) = (parts(first), parts(second))
        if !a.name.utf8.elementsEqual(b.name.utf8) { return a.name.utf8.lexicographicallyPrecedes(b.name.utf8) }
        return a.line == b.line ? first.utf8.lexicographicallyPrecedes(second.utf8) : a.line < b.line
    }

    private static func parts(_ source: String) -> (name: Substring, line: Int) {
        let name = source.utf8
        var digits = 0
        for byte in name.reversed() {
            guard (0x30...0x39).contains(byte), digits < 18 else { break }
            digits += 1
        }
        let split = name.index(name.endIndex, offsetBy: -digits)
        guard digits > 0, split > name.startIndex, name[name.index(before: split)] == UInt8(ascii: ":"),
            let line = Int(source[split...])
        else { return (source[...], 0) }
        return (source[..<split], line)
    }
}
