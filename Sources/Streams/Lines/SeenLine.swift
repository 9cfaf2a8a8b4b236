import Engine

/// Which claims the findings about a divided key are about, in some of its parts, as a line.
struct SeenLine {
    let letter: StreamKey.KeyLetter
    let octets: [UInt8]
    /// As many as there are groups under the key.
    private(set) var seen: [SeenClaims]

    init(letter: StreamKey.KeyLetter, octets: [UInt8], seen: [SeenClaims]) {
        self.letter = letter
        self.octets = octets
        self.seen = seen
    }

    func write(to line: inout LineWriter) throws {
        line.begin(.seen(letter, octets))
        for group in seen { line.text(try PartText.text(group)) }
        line.end()
    }

    init(_ letter: StreamKey.KeyLetter, _ octets: [UInt8], _ fields: inout LineFields) throws(LineFault) {
        self.letter = letter
        self.octets = octets
        seen = []
        for _ in letter.kinds { seen.append(try PartText.value(of: try fields.text())) }
    }

    /// Adds what was seen in other parts.
    mutating func add(_ other: SeenLine) throws(LineFault) {
        for index in seen.indices where other.seen.indices.contains(index) {
            do {
                try seen[index].add(other.seen[index])
            } catch {
                throw .malformed("it was seen with other rules")
            }
        }
    }
}
