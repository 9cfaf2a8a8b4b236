import Files
import Subscriptions

/// The table `subscriptions` in a format that holds one table.
final class SubscriptionsSink: ReportSink {
    private let output: TableOutput
    private let format: ReportFormat

    init(_ path: String, _ format: ReportFormat, _ setting: ReportSetting) throws(FileError) {
        self.format = format
        output = try TableOutput(path, format, setting)
        output.begin(SubscriptionsTable.columns)
    }

    var path: String { output.path }
    var file: OutputFile { output.file }

    func write(_ subscription: SubscriptionRow) throws(FileError) {
        let row = format.row(SubscriptionsTable.columns) { SubscriptionsTable.write(subscription, to: &$0) }
        try output.write(row.span)
    }

    func finish() throws(FileError) { try output.finish() }
}
