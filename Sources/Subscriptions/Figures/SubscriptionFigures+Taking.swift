import Encodings

extension SubscriptionFigures {
    /// Counts what happened, by its date.
    mutating func takeCourse(_ subscription: Subscription) {
        let (row, periods) = (subscription.row, subscription.periods)
        let course = SubscriptionCourse(periods)
        add(.started, at: row.startedAt)
        for period in course.renewals where period.isPaid { add(.renewals, at: period.purchasedAt) }
        for lapse in course.lapses {
            add(.lapses, at: lapse.from)
            add(.winBacks, at: lapse.to)
        }
        for date in course.productChanges { add(.productChanges, at: date) }
        let lastPaid = periods.lastIndex(where: \.isPaid) ?? -1
        for (index, period) in periods.enumerated() {
            if period.isPaid {
                add(.paidPeriods, at: period.purchasedAt)
                if let date = period.refundedAt { add(.refunds, at: date) }
            } else {
                add(.trials, at: period.purchasedAt)
                add(outcome(ofTrial: period, isConverted: index < lastPaid, row), at: period.purchasedAt)
            }
        }
    }

    private func outcome(ofTrial trial: SubscriptionPeriod, isConverted: Bool, _ row: SubscriptionRow) -> MonthCount {
        if isConverted { return .trialsConverted }
        if trial.refundedAt != nil { return .trialsLost }
        if trial.expiresAt > asOf { return .trialsRunning }
        return row.evidenceAt < trial.expiresAt ? .trialsNotRefreshed : .trialsLost
    }

    /// Counts how it stood at the starts of months, and its comings and goings.
    mutating func takePaidTime(_ subscription: Subscription) {
        let paidTime = PaidTime(subscription)
        for (index, stretch) in paidTime.stretches.enumerated() where stretch.from <= asOf {
            forEachMonth(from: Month(stretch.from), until: stretch.to) { month in
                if month.start >= stretch.from { add(.activeAtStart, in: month) }
            }
            if index > 0 { add(.resubscribed, at: stretch.from) }
            guard stretch.to <= asOf else { continue }
            let isSeen = index < paidTime.stretches.count - 1 || paidTime.isEndSeen
            add(isSeen ? .lost : .notRefreshed, at: stretch.to)
        }
        guard let first = paidTime.stretches.first, first.from <= asOf else { return }
        let cohort = Month(first.from)
        add(.firstPaid, in: cohort)
        takeRetention(paidTime, in: cohort)
    }

    /// Counts how it stands at the starts of the months after its first.
    private mutating func takeRetention(_ paidTime: PaidTime, in cohort: Month) {
        var month = cohort
        var standing: (count: CohortCount, since: Int)?
        var later = 0
        while later < Self.maxMonthsLater, let next = month.next, next.start <= asOf {
            month = next
            let count: CohortCount
            switch paidTime.outcome(at: month.start) {
            case .paid: count = .paid
            case .lost: count = .lost
            case .notRefreshed: count = .notRefreshed
            }
            if let before = standing, before.count != count {
                courses[cohort, default: Cohort()].add(before.count, months: before.since..<later)
                standing = (count, later)
            }
            standing = standing ?? (count, later)
            later += 1
        }
        if let standing { courses[cohort, default: Cohort()].add(standing.count, months: standing.since..<later) }
    }

    /// Goes through months whose start is before an instant and not after as-of.
    private func forEachMonth(from first: Month, until end: Instant, _ body: (Month) -> Void) {
        var month: Month? = first
        while let current = month, current.start < end, current.start <= asOf {
            body(current)
            month = current.next
        }
    }
}
