import Engine
package import Subscriptions

/// A whole run, with the data that tables need.
package struct ReportedRun {
    /// The result; `nil` if the run is reduced line by line.
    let result: AuditResult?
    let figures: SubscriptionFigures
    let summary: Summary

    package init(_ figures: SubscriptionFigures, _ summary: Summary) {
        (result, self.figures, self.summary) = (nil, figures, summary)
    }

    init(_ result: AuditResult, _ summary: Summary) {
        (self.result, figures, self.summary) = (result, result.figures, summary)
    }
}
