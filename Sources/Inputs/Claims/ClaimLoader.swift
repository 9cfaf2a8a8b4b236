import Encodings
import Files

/// Reads the files that a block's claims name, for one reader.
///
/// The decoder reads files of blocks that skip this stage, and files that are too large for it.
public final class ClaimLoader {
    /// The maximum size of a file. Larger files are left to the decoder, which holds one at a time.
    private static let maxFileSize = 256 << 10
    private static let maxBlockSize = 8 << 20

    private let pool: BufferPool

    public init(pool: BufferPool) { self.pool = pool }

    /// Completes a block: replaces paths with bytes, or with the reason why there are none.
    ///
    /// - Returns: whether it had to wait for the disk.
    public func load(_ block: inout ClaimBlock) -> Bool {
        guard block.shape != .lines else { return false }
        let waits = SystemLimits.threadWaits
        for index in block.items.indices {
            guard case .inFile = block.items[index].receipt else { continue }
            if block.files.isNew { block.files = pool.take() }
            do throws(InputFault) {
                guard let range = try load(index, of: block) else { continue }
                block.items[index].receipt = .loaded(range)
            } catch {
                block.items[index].receipt = .fault(error)
            }
        }
        return (SystemLimits.threadWaits - waits) * 4 > block.items.count
    }

    /// Returns the range of the file's bytes, or `nil` if it is left to the decoder.
    private func load(_ index: Int, of block: ClaimBlock) throws(InputFault) -> Range<Int>? {
        let file = try block.origin.open(block.items[index].path, in: block.text)
        let status = try file.receiptStatus()
        guard status.size <= Self.maxFileSize, block.files.count + status.size <= Self.maxBlockSize else { return nil }
        return try block.files.append(file: file, status: status)
    }
}

extension ByteArena {
    /// Appends a whole receipt file, with one read(2) if the file has its stated size.
    ///
    /// The bytes read count, even if the file shrinks or grows in the meantime.
    mutating func append(
        file: borrowing FileDescriptor, status: FileStatus
    ) throws(InputFault) -> Range<Int> {
        let start = count
        // One byte more than the stated size, to see whether the file has grown.
        var free = status.size + 1
        while true {
            let got: Int
            do throws(SystemError) {
                got = try read(file, atMost: free)
            } catch {
                cut(at: start)
                throw InputFault(reading: error)
            }
            guard count - start <= ReceiptLimit.bytes else {
                cut(at: start)
                throw .receiptTooLong
            }
            if got == 0 || count - start == status.size { return start..<count }
            free = min(max(free, 4096), ReceiptLimit.bytes + 1 - (count - start))
        }
    }
}

extension FileDescriptor {
    /// Returns the status of a receipt file, which must be a regular one of at most ``ReceiptLimit/bytes``.
    func receiptStatus() throws(InputFault) -> FileStatus {
        let found: FileStatus
        do throws(SystemError) {
            found = try status()
        } catch {
            throw InputFault(reading: error)
        }
        if let objection = found.objection { throw InputFault(.receiptUnreadable, objection) }
        guard found.size <= ReceiptLimit.bytes else { throw .receiptTooLong }
        return found
    }
}
