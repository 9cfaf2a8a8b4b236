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
    /// Whether to record the status of files, for identities.
    private let stampsFiles: Bool

    /// - Parameter stampsFiles: whether ``ClaimBlock/appendIdentityByStatus(to:settledBefore:)`` will be used.
    public init(pool: BufferPool, stampsFiles: Bool = false) {
        self.pool = pool
        self.stampsFiles = stampsFiles
    }

    /// Completes a block: replaces paths with bytes, or with the reason why there are none.
    ///
    /// - Returns: whether it had to wait for the disk.
    public func load(_ block: inout ClaimBlock) -> Bool {
        guard block.shape != .lines else { return false }
        let waits = SystemLimits.threadWaits
        if stampsFiles { block.stamps = Array(repeating: nil, count: block.items.count) }
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
        if stampsFiles { block.stamps[index] = status }
        guard status.size <= Self.maxFileSize, block.files.count + status.size <= Self.maxBlockSize else { return nil }
        return try block.files.append(file: file, status: status)
    }
}

/// Records the status of the files of blocks without reading them, for one thread.
///
/// Files are grouped by folder. The last folder is kept open, so that a file costs one system call. Files that may be
/// outside the folder are opened with more care.
public final class FileStamper {
    private var root: ConfinedDirectory?
    private var path: [UInt8] = []
    private var folder: FileDescriptor?

    public init() {}

    /// Records the status of each file of a block, or the reason why there is none.
    public func stamp(_ block: ClaimBlock) {
        guard block.shape != .lines else { return }
        // Once for all files, because threads that count references to the same folder wait for each other.
        enter(block.origin.folder)
        let (items, text) = (block.items, block.text)
        var stamps = [FileStatus?](repeating: nil, count: items.count)
        for index in items.indices {
            guard case .inFile = items[index].receipt else { continue }
            let path = items[index].path
            if let status = plainStatus(path, in: text) {
                stamps[index] = status
                continue
            }
            do throws(InputFault) {
                stamps[index] = try block.origin.open(path, in: text, .status).receiptStatus()
            } catch {
                block.items[index].receipt = .fault(error)
            }
        }
        block.stamps = stamps
    }

    /// Returns the status of a regular file that is not a link and not too large; `nil` if it may be anything else.
    private func plainStatus(_ path: Range<Int>, in text: ByteArena) -> FileStatus? {
        guard path.upperBound < text.count else { return nil }
        let name = path.lowerBound + (text.span(path).lastIndex(of: 0x2f).map { $0 + 1 } ?? 0)
        guard enter(text.span(path.lowerBound..<name)) else { return nil }
        guard let status = try? folder?.status(of: text.span(name..<path.upperBound + 1)), status.isRegular,
            status.size <= ReceiptLimit.bytes
        else { return nil }
        return status
    }

    /// Changes to a root that contains all following files.
    private func enter(_ root: ConfinedDirectory?) {
        guard root !== self.root else { return }
        self.root = root
        folder = nil
    }

    /// Opens the folder with this path, without following links, unless it is open.
    private func enter(_ path: Span<UInt8>) -> Bool {
        if folder != nil, path.isSame(as: self.path) { return true }
        self.path.removeAll(keepingCapacity: true)
        for index in path.indices { self.path.append(path[index]) }
        folder = try? root?.open((self.path + [0x2e, 0]).span, .folder)
        return folder != nil
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
