private import CZlib
import Encodings

/// A gzip file, decompressed by zlib. Consecutive members are one stream, as for gzip(1).
@safe final class GzipStream: ByteStream {
    private let compressed: any ByteStream
    private let inflater: UnsafeMutablePointer<z_stream>
    private var input = ByteArena()
    private var consumed = 0
    /// Whether a member is open.
    private var isInside = false
    private var hasEnded = false
    private var isDamaged = false

    private static let chunk = 128 << 10

    init?(_ compressed: any ByteStream) {
        self.compressed = compressed
        unsafe inflater = .allocate(capacity: 1)
        unsafe inflater.initialize(to: z_stream())
        // 15 bits of window; 16 more select gzip instead of zlib's own format.
        guard unsafe audit_inflate_init2(inflater, 15 + 16) == Z_OK else {
            unsafe inflater.deallocate()
            return nil
        }
    }

    deinit {
        _ = unsafe inflateEnd(inflater)
        unsafe inflater.deallocate()
    }

    var position: Int { compressed.position }
    var size: Int? { compressed.size }

    func read(into arena: inout ByteArena, atMost count: Int) throws(StreamDamage) -> Int {
        while !hasEnded {
            if isDamaged { throw StreamDamage(reason: "the compressed file is damaged") }
            if consumed == input.count, try !refill() {
                hasEnded = true
                if isInside { throw StreamDamage(reason: "the compressed file is truncated") }
                break
            }
            // Some writers fill the last block of a tape with zeros.
            while !isInside, consumed < input.count, input[consumed] == 0 { consumed += 1 }
            if consumed == input.count { continue }
            let got = inflateSome(into: &arena, atMost: count)
            if got > 0 { return got }
        }
        return 0
    }

    private func refill() throws(StreamDamage) -> Bool {
        input.empty()
        consumed = 0
        return try compressed.read(into: &input, atMost: Self.chunk) > 0
    }

    /// Calls inflate(3) once. The bytes before damage are valid.
    private func inflateSome(into arena: inout ByteArena, atMost count: Int) -> Int {
        var status = Z_OK
        var left = 0
        let input = input
        let start = consumed
        let got = unsafe arena.append(atMost: count) { output in
            let source = input.span(start..<input.count)
            return unsafe source.withUnsafeBytes { source in
                unsafe inflater.pointee.next_in = unsafe UnsafeMutablePointer(
                    mutating: source.baseAddress?.assumingMemoryBound(to: UInt8.self))
                unsafe inflater.pointee.avail_in = UInt32(truncatingIfNeeded: source.count)
                unsafe inflater.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
                unsafe inflater.pointee.avail_out = UInt32(truncatingIfNeeded: output.count)
                status = unsafe inflate(inflater, Z_NO_FLUSH)
                left = Int(unsafe inflater.pointee.avail_in)
                return unsafe output.count - Int(inflater.pointee.avail_out)
            }
        }
        consumed = input.count - left
        isInside = true
        if status == Z_STREAM_END {
            isInside = false
            _ = unsafe inflateReset(inflater)
        } else if status != Z_OK {
            isDamaged = true
        }
        return got
    }
}

extension GzipStream {
    /// Returns the decompressed bytes; `nil` if they are damaged, or longer than a limit.
    static func bytes(of compressed: Span<UInt8>, limit: Int) -> [UInt8]? {
        guard let stream = GzipStream(PeekedStream(copying: compressed)) else { return nil }
        var arena = ByteArena()
        do throws(StreamDamage) {
            while arena.count <= limit, try stream.read(into: &arena, atMost: limit + 1 - arena.count) > 0 {}
        } catch {
            return nil
        }
        return arena.count <= limit ? arena.span(0..<arena.count).copy() : nil
    }
}
