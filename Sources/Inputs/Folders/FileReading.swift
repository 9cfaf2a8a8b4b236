internal import Glibc

extension ByteArena {
    /// Appends a whole receipt file, with one read(2) if the file is as long as it says.
    ///
    /// What is judged is what was read, should the file shrink or grow meanwhile.
    mutating func append(
        file: borrowing FileDescriptor, status: FileStatus
    ) throws(InputFault) -> Range<Int> {
        let start = count
        // One byte more than it says, to see whether it has grown.
        var free = status.size + 1
        while true {
            let got = read(file, atMost: free)
            guard got >= 0 else {
                cut(at: start)
                throw InputFault(reading: SystemError(code: CInt(-got)))
            }
            guard count - start <= ReceiptLimit.bytes else {
                cut(at: start)
                throw .receiptTooLong
            }
            if got == 0 || count - start == status.size { return start..<count }
            free = min(max(free, 4096), ReceiptLimit.bytes + 1 - (count - start))
        }
    }

    /// Appends the next bytes of a file: how many, 0 at its end, or an error code below zero.
    mutating func read(_ file: borrowing FileDescriptor, atMost free: Int) -> Int {
        var result = 0
        let number = file.number
        unsafe append(atMost: free) { bytes in
            repeat {
                result = unsafe Glibc.read(number, bytes.baseAddress, bytes.count)
            } while result < 0 && errno == EINTR
            if result < 0 { result = -Int(errno) }
            return result
        }
        return result
    }
}

extension FileDescriptor {
    /// What fstat(2) says of a receipt file; it must be a regular one, and no giant.
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

extension InputFault {
    static let receiptTooLong = InputFault(.receiptUnreadable, "over 8 MiB")
    static let folder = InputFault(.receiptUnreadable, "is a directory")

    /// Why an open file could not be read.
    init(reading error: SystemError) {
        self.init(.receiptUnreadable, error.reason, isExhaustion: error.isExhaustion)
    }

    /// Why a named file could not be opened.
    init(opening error: SystemError) {
        switch error.code {
        case ENOENT, ENOTDIR, ENAMETOOLONG: self.init(.receiptNotFound, "no such file")
        case EXDEV: self.init(.receiptNotFound, "leads out of the folder")
        case ELOOP: self.init(.receiptNotFound, "a symbolic link that leads nowhere")
        case EISDIR: self = .folder
        case ENXIO, ENODEV: self.init(.receiptUnreadable, "not a regular file")
        default: self.init(reading: error)
        }
    }
}
