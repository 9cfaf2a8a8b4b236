import Engine
package import Subscriptions

/// A whole run, as far as tables are made of it.
package struct ReportedRun {
    /// `nil` where a run is reduced line by line.
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
