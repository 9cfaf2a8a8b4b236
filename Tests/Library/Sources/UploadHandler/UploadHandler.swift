import Foundation
import ReceiptAudit

/// `UploadHandler ROOT DEVICE < RECEIPT`: answers an upload as a server would, with the products to unlock.
@main
struct UploadHandler {
    let auditor: ReceiptAuditor

    static func main() throws {
        let arguments = CommandLine.arguments
        let root = try Data(contentsOf: URL(filePath: arguments[1]))
        let handler = try UploadHandler(auditor: ReceiptAuditor(roots: [root]))
        print(try handler.answer(FileHandle.standardInput.readDataToEndOfFile(), device: arguments[2]))
    }

    func answer(_ receipt: Data, device: String) throws -> String {
        let proof = try auditor.audit(receipt, device: device)
        guard proof.verdict == .valid, proof.deviceHash == .match else {
            let reasons = proof.failures.map(\.code.rawValue).joined(separator: ", ")
            return "refused: " + (reasons.isEmpty ? "device hash \(proof.deviceHash.rawValue)" : reasons)
        }
        return "unlocked: " + Set(proof.purchases.map(\.productID)).sorted().joined(separator: ", ")
    }
}
