/// The lines of standard input or another stream, one at a time, in memory for the longest of them.
package struct InputLines {
    private static let chunk = 256 << 10

    private let stream: any ByteStream
    private var arena = ByteArena()
    /// What has been read and not yet handed out.
    private var rest = 0..<0
    private var hasEnded = false
    private var range = 0..<0
    /// The number of the line, from 1.
    package private(set) var number = 0

    package init() throws(InputError) { self.init(try FileStream(standardInput: ())) }

    init(_ stream: any ByteStream) { self.stream = stream }

    /// Goes to the next line; false at the end.
    package mutating func next() throws(InputError) -> Bool {
        number += 1
        var searched = rest.lowerBound
        while true {
            if let end = arena.firstIndex(of: 0x0a, from: searched) {
                range = rest.lowerBound..<end
                rest = end + 1..<rest.upperBound
                return true
            }
            searched = rest.count
            guard try refill() else { break }
        }
        range = rest
        rest = rest.upperBound..<rest.upperBound
        return !range.isEmpty
    }

    /// The line, without its line feed.
    package var line: Span<UInt8> {
        @_lifetime(borrow self) get { arena.span(range) }
    }

    /// Moves what is left to the front, and reads on behind it.
    private mutating func refill() throws(InputError) -> Bool {
        guard !hasEnded else { return false }
        other.empty()
        other.append(rest, of: arena)
        swap(&other, &arena)
        let count: Int
        do throws(StreamDamage) {
            count = try stream.read(into: &arena, atMost: max(Self.chunk, rest.count))
        } catch {
            throw .unreadable(path: "-", reason: error.reason)
        }
        rest = 0..<arena.count
        hasEnded = count == 0
        return !hasEnded
    }

    /// Memory to move to.
    private var other = ByteArena()
}
