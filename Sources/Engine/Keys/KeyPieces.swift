import Files

/// What a ``KeyLog`` noted. Any number of threads may read it.
struct KeyPieces: Sendable {
    let width: Int
    let file: TemporaryFile?
    let pieces: [KeyPiece]

    /// How many words there are in a slice.
    func count(inSlice slice: Int) -> Int { pieces.reduce(0) { $0 + $1.range(of: slice).count } }

    /// Appends the words of a slice piece by piece, in the order in which they were noted.
    func append(slice: Int, to words: inout [UInt64], afterEach: (inout [UInt64]) throws -> Void = { _ in }) throws {
        for piece in pieces {
            let range = piece.range(of: slice)
            switch piece.place {
            case .memory(let held): words += held[range]
            case .file(let position):

                let (start, end) = (position + 8 * range.lowerBound, position + 8 * range.upperBound)
                try file?.read(start..<end, appendingTo: &words)
            }
            try afterEach(&words)
        }
    }
}
