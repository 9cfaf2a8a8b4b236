public import Encodings

/// The first ten of many sources, in the order of claims: by table, then by line; files by path.
public struct FirstSources: Codable, Sendable {
    private static let limit = 10

    public private(set) var names: [ExactText] = []

    init() {}

    /// Restores sources from ``names``.
    package init(_ names: [ExactText]) { self.names = names }

    mutating func insert(_ name: ExactText) {
        if names.count == Self.limit, let last = names.last, !Self.precedes(name, last) { return }
        let index = names.firstIndex { !Self.precedes($0, name) } ?? names.count
        if index < names.count, names[index] == name { return }
        names.insert(name, at: index)
        if names.count > Self.limit { names.removeLast() }
    }

    /// Compares line numbers as numbers: `devices.csv:9` comes before `devices.csv:10`.
    private static func precedes(_ first: ExactText, _ second: ExactText) -> Bool {
        let (a, b) = (parts(first), parts(second))
        if !a.name.elementsEqual(b.name) { return a.name.lexicographicallyPrecedes(b.name) }
        return a.line == b.line ? first < second : a.line < b.line
    }

    private static func parts(_ source: ExactText) -> (name: Substring.UTF8View, line: Int) {
        let name = source.utf8
        var digits = 0
        for byte in name.reversed() {
            guard (0x30...0x39).contains(byte), digits < 18 else { break }
            digits += 1
        }
        let split = name.index(name.endIndex, offsetBy: -digits)
        guard digits > 0, split > name.startIndex, name[name.index(before: split)] == UInt8(ascii: ":"),
            let line = Int(Substring(name[split...]))
        else { return (name[...], 0) }
        return (name[..<split], line)
    }
}
