enum HTMLWriter: DocumentWriter {
    static func text(of document: ReportDocument) -> String { "" }
}
