extension SubscriptionFigures {
    /// What no receipt can tell, in sentences for reports. None of it is guessed.
    public static let unknowable = [
        "Whether a subscriber has turned automatic renewal off: receipts do not say what he intends.",
        "Billing retry: a period that could not be paid looks like one that was ended.",
        "Grace periods: access that the store grants beyond the expiry date is not in receipts.",
        "The price paid: figures of money are at the policy's prices today, before taxes and the store's share,"
            + " whatever the storefront and the date.",
        "What offers cost: introductory and promotional offers are counted, and count 0 as money.",
        "What happened after a receipt was made: a subscription whose period ran out since is “not refreshed”,"
            + " neither active nor lost.",
        "Subscriptions of which no genuine receipt was given: all figures are of what was audited.",
    ]
}
