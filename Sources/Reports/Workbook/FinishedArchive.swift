import Files

/// The list of parts at the end of a ZIP file, to see whether all of them are there.
struct FinishedArchive {
    /// The bytes of each part before they were compressed. Those of 4 GiB and more are ``large``.
    private(set) var sizes: [String: Int] = [:]

    static let large = 0xffff_ffff

    /// Reads the list of a file that was just written; nothing if it is none.
    init(_ file: String, for path: String) throws(FileError) {
        self.init(tail: try FileContents.tail(of: file, atMost: 1 << 20, for: path))
    }

    /// - Parameter tail: the end of the file, with the whole list in it.
    init(tail: [UInt8]) {
        func number(at index: Int, bytes: Int) -> Int {
            (0..<bytes).reduce(0) { $0 | Int(tail[index + $1]) << (8 * $1) }
        }
        // The end says how long the list is, which stands before it.
        guard let end = (0...max(0, tail.count - 22)).last(where: { tail[$0...].starts(with: [0x50, 0x4b, 5, 6]) }),
            end + 22 <= tail.count
        else { return }
        // In large files two records stand between.
        var index = max(0, end - number(at: end + 12, bytes: 4) - 100)
        while index + 46 <= end {
            guard tail[index...].starts(with: [0x50, 0x4b, 1, 2]) else {
                index += 1
                continue
            }
            let (name, extra, comment) = (
                number(at: index + 28, bytes: 2), number(at: index + 30, bytes: 2), number(at: index + 32, bytes: 2)
            )
            guard index + 46 + name <= end else { return }
            let text = String(decoding: tail[(index + 46)..<(index + 46 + name)], as: UTF8.self)
            sizes[text] = number(at: index + 24, bytes: 4)
            index += 46 + name + extra + comment
        }
    }

    /// Whether all of these parts are there, and none is smaller than given.
    func hasParts(ofAtLeast expected: [String: Int]) -> Bool {
        expected.allSatisfy { name, size in sizes[name].map { $0 >= min(size, Self.large) } ?? false }
    }
}
