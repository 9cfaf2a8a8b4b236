import Files

/// Reads the central directory at the end of a ZIP file, to check that all parts are there (APPNOTE 4.3.12).
struct FinishedArchive {
    /// The uncompressed size of each part in bytes; ``large`` for 4 GiB and more.
    private(set) var sizes: [String: Int] = [:]

    static let large = 0xffff_ffff

    /// Reads the directory of a file; there are no sizes if it is not an archive.
    init(_ file: String, for path: String) throws(FileError) {
        self.init(tail: try FileContents.tail(of: file, atMost: 1 << 20, for: path))
    }

    /// - Parameter tail: the end of the file, with the whole directory in it.
    init(tail: [UInt8]) {
        func number(at index: Int, bytes: Int) -> Int {
            (0..<bytes).reduce(0) { $0 | Int(tail[index + $1]) << (8 * $1) }
        }
        // The end record has the length of the directory, which precedes it.
        guard let end = (0...max(0, tail.count - 22)).last(where: { tail[$0...].starts(with: [0x50, 0x4b, 5, 6]) }),
            end + 22 <= tail.count
        else { return }
        // In large files two records are between them.
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

    /// Returns whether all of these parts exist and have at least the given sizes.
    func hasParts(ofAtLeast expected: [String: Int]) -> Bool {
        expected.allSatisfy { name, size in sizes[name].map { $0 >= min(size, Self.large) } ?? false }
    }
}
