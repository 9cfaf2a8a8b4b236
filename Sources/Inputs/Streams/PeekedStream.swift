import Encodings

/// A stream whose first bytes have been examined.
final class PeekedStream: ByteStream {
    private let rest: (any ByteStream)?
    /// The first bytes, and the number of them that have been read again.
    private let first: ByteArena
    private var read = 0
    /// The damage after the first bytes, if they could not all be read.
    private var damage: StreamDamage?

    /// Reads at most a number of bytes, fewer only at the end.
    init(_ stream: any ByteStream, atMost count: Int) {
        var first = ByteArena()
        do throws(StreamDamage) {
            while first.count < count, try stream.read(into: &first, atMost: count - first.count) > 0 {}
        } catch {
            damage = error
        }
        self.first = first
        rest = stream
    }

    /// Makes a stream of a copy of bytes in memory.
    init(copying bytes: Span<UInt8>) {
        var first = ByteArena()
        first.append(bytes)
        self.first = first
        rest = nil
    }

    /// The examined bytes.
    var start: [UInt8] {
        let first = first
        return first.span(0..<first.count).copy()
    }

    var position: Int { rest?.position ?? read }
    var size: Int? { rest.map { $0.size } ?? first.count }

    func read(into arena: inout ByteArena, atMost count: Int) throws(StreamDamage) -> Int {
        guard read == first.count else {
            let end = min(first.count, read + count)
            arena.append(read..<end, of: first)
            defer { read = end }
            return end - read
        }
        if let damage { throw damage }
        return try rest?.read(into: &arena, atMost: count) ?? 0
    }
}
