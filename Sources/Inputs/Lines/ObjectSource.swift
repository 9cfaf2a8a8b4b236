import Encodings

/// The claims of JSON objects in an array, or of consecutive ones, over any number of lines.
///
/// A claim's number is that of its object, from 1, because all may be on one line. Objects are passed on whole, and the
/// workers parse them.
final class ObjectSource: ClaimSource {
    private let stream: any ByteStream
    private let origin: ClaimOrigin
    private let pool: BufferPool
    private var input = ByteArena()
    private var position = 0
    private var number = 1
    private var isArray = false
    /// Whether the array has ended. Nothing may follow.
    private var isBehind = false
    private var hasBegun = false
    private var hasEnded = false

    private static let chunk = 128 << 10
    private static let maxSize = TableRows.maxRowSize

    init(_ stream: any ByteStream, origin: ClaimOrigin, pool: BufferPool) {
        self.stream = stream
        self.origin = origin
        self.pool = pool
    }

    private(set) var omissions = Omissions()
    var fraction: Double? { stream.fraction }

    func next() -> ClaimBlock? {
        let block = ClaimBlock(.lines, from: origin, pool: pool)
        while !hasEnded, !block.isFull { addObject(to: block) }
        return block.isEmpty ? nil : block
    }

    /// Adds the next object, or whatever is in its place.
    private func addObject(to block: ClaimBlock) {
        guard let first = nextByte() else { return }
        let start = block.text.count
        var scanner = JSONValueScanner()
        var fault: InputFault?
        let isObject = first == UInt8(ascii: "{")
        repeat {
            guard position < input.count || refill() else {
                // The bytes so far distinguish the claim from others.
                end("the JSON text ends in an object")
                fault = fault ?? InputFault(.rowMalformed, "the JSON text ends in it")
                break
            }
            // Anything but an object extends to the next comma, or to the end of the array.
            if !isObject, !scanner.isInside, position < input.count {
                let byte = input[position]
                if byte == UInt8(ascii: ",") || isArray && byte == UInt8(ascii: "]") { break }
            }
            let begin = position
            repeat {
                scanner.scan(input[position])
                position += 1
                if scanner.isInPlainText { position = plainEnd(from: position) }
            } while position < input.count && scanner.isInside
            if fault == nil { block.text.append(begin..<position, of: input) }
            if block.text.count - start > Self.maxSize {
                block.text.cut(at: start)
                fault = InputFault(.receiptUnreadable, "a JSON object over 12 MiB")
            }
        } while !isObject || scanner.isInside
        let range = start..<block.text.count
        var item = ClaimBlock.Item(line: number, text: range, identity: range)
        if let fault { item.receipt = .fault(fault) }
        number += 1
        block.items.append(item)
    }

    /// Skips blanks, commas, and the brackets of the array; returns the first byte of the next value.
    private func nextByte() -> UInt8? {
        while true {
            guard position < input.count || refill() else {
                if isArray, !isBehind { end("the JSON array does not end") }
                hasEnded = true
                return nil
            }
            let byte = input[position]
            if byte.isBlank || byte == UInt8(ascii: ",") && !isBehind {
                position += 1
            } else if byte == UInt8(ascii: "["), number == 1, !isArray {
                isArray = true
                position += 1
            } else if byte == UInt8(ascii: "]"), isArray, !isBehind {
                isBehind = true
                position += 1
            } else if isBehind {
                end("the text after the JSON array is not read")
                return nil
            } else {
                return byte
            }
        }
    }

    /// Returns the index of the next quote, or of an escape before it.
    private func plainEnd(from start: Int) -> Int {
        let quote = input.firstIndex(of: UInt8(ascii: "\""), from: start) ?? input.count
        return input.firstIndex(of: UInt8(ascii: "\\"), in: start..<quote) ?? quote
    }

    private func end(_ reason: String) {
        if !hasEnded { omissions.add(InputDamage(source: origin.table, reason: reason)) }
        hasEnded = true
    }

    /// Reads more. Returns `false` at the end, also if the stream breaks off.
    private func refill() -> Bool {
        guard !hasEnded else { return false }
        input.empty()
        position = 0
        do throws(StreamDamage) {
            let read = hasBegun ? stream.read : stream.readFirst
            let count = try read(&input, Self.chunk)
            if !hasBegun { position = input.byteOrderMark }
            hasBegun = true
            // The first piece may be only a byte order mark.
            return position < input.count || count > 0 && refill()
        } catch {
            end(error.reason)
            return false
        }
    }
}
