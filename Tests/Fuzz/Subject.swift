/// A reader of untrusted bytes, with the invariants that it keeps for any input.
protocol Subject {
    /// Reads an input. Does not return if something does not hold.
    func read(_ bytes: [UInt8])
}

/// The subjects there are.
enum FuzzTarget: String, CaseIterable {
    case container, receipt, json, csv, base64, reduce, yaml, token, evidence, workbook

    func subject() throws -> any Subject {
        switch self {
        case .container: try ContainerSubject()
        case .receipt: try ReceiptSubject()
        case .json: try JSONLinesSubject()
        case .csv: TableSubject()
        case .base64: Base64Subject()
        case .reduce: try ReduceLinesSubject()
        case .yaml: YAMLSubject()
        case .token: try TokenSubject()
        case .evidence: try EvidenceSubject()
        case .workbook: WorkbookSubject()
        }
    }
}

/// Stops the fuzzer, which keeps the input, if something does not hold.
func demand(_ holds: Bool, _ message: @autoclosure () -> String, line: UInt = #line, file: StaticString = #file) {
    guard holds else { fatalError(message(), file: file, line: line) }
}
