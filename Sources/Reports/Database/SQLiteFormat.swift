import Files

/// Writes `--report out.sqlite`: a database with all tables of the run except `answers`, with indexes and views.
enum SQLiteFormat: FileFormat {
    typealias Row = StoredRow
    static let name = "sqlite"
    static let hasEntities = true
    static func holds(_ table: ReportRequest.Table) -> Bool { false }

    static func sink(for request: ReportRequest, _ setting: ReportSetting) throws(FileError) -> any ReportSink {
        try ReportDatabase(request, setting)
    }
}
