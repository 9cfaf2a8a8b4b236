extension OverviewSheet {
    /// What each of the other sheets holds.
    static let purposes = [
        "Queue": "Every finding, most urgent first. Fill in status and note, then: audit review --import FILE.xlsx",
        "Entities":
            "Accounts, devices, persons, transactions, receipts and signers with findings: active ones first, then by score.",
        "Claims": "A row for each row of the input: its verdict, what failed, and what the rules found.",
        "Links": "Which claims each finding is about, the highest severities first.",
        "Purchases": "The purchases that claims prove.",
        "Subscriptions": "The state of every subscription, and what proves it.",
        "Unclaimed": "Customers who paid and did not get it: purchases that evidence shows and no claim presents.",
        "Refund requests": "Refunds that Apple asks about, with the facts for an answer within 12 hours.",
        "Metrics": "Figures by month, app, product and currency, one a row, for pivot tables and charts.",
        "Retention": "How many subscriptions of each month were renewed.",
        "Rules": "What raises each rule, when it is wrong, and what to do.",
    ]
}
