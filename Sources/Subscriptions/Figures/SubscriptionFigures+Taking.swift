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
        var month = cohort
        for index in 0..<Self.mostMonthsLater {
            guard let next = month.next, next.start <= asOf else { return }
            month = next
            var counts = Counts<CohortCount>()
            switch paidTime.outcome(at: month.start) {
            case .paid: counts.add(.paid)
            case .lost: counts.add(.lost)
            case .notRefreshed: counts.add(.notRefreshed)
            }
            addToCohort(cohort, index, counts)
        }
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
