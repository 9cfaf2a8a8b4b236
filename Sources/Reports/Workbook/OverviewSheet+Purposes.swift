extension OverviewSheet {
    /// The content of each of the other sheets.
    static let purposes = [
        "Queue":
            "The findings, most urgent first. Fill in status and note, then: "
            + "audit review --state LEDGER --import FILE.xlsx",
        "Entities":
            "Accounts, devices, people, transactions, receipts and signers with findings:"
            + " by score. A ring among the first 200 is one row with its members.",
        "Claims":
            "The claims with findings or failures, the worst first: the verdict, what failed, what the rules found.",
        "Links": "Which claims each finding is about, the highest severities first.",
        "Unclaimed": "Paid, and no claim shows it: purchases that only evidence shows.",
        "Refund requests": "Refunds that Apple asks about, with the facts for an answer within 12 hours.",
        "Completeness": "What Apple sold by day and product, and how much of it nothing shows (--sales).",
        "Metrics": "Figures by month, app, product and currency, one a row, for pivot tables and charts.",
        "Retention": "How many subscriptions of each month were renewed.",
        "Rules": "What raises each rule, when it is wrong, and what to do.",
    ]
}
