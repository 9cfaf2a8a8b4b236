import Checks
import Files
import Inputs

extension Checker {
    /// Inspects the receipt in a file, or on standard input if the path is `-`.
    ///
    /// - Throws: `FileError` if there is no such file: the person mistyped, and no check can help; or if the system had no
    ///   descriptor or memory left. A file that is there and cannot be read is a result, as it is in a run.
    func inspection(of claim: Claim, at path: String) throws(FileError) -> Inspection {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileContents.bytes(of: path, limit: ReceiptLimit.bytes)
        } catch {
            if error.isNotFound || error.isExhaustion { throw error }
            return inspection(of: claim, fault: InputFault(.receiptUnreadable, error.reason))
        }
        guard bytes.count <= ReceiptLimit.bytes else {
            return inspection(of: claim, fault: InputFault(.receiptUnreadable, "is over 8 MiB"))
        }
        return inspection(of: claim, receipt: bytes)
    }
}
