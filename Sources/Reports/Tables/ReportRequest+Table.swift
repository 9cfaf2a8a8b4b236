extension ReportRequest {
    /// A table of reports, identified by its name.
    public struct Table: CaseIterable, Hashable, Sendable {
        public static let receipts = Table(ReceiptsTable.self)
        public static let fraud = Table(FraudTable.self)
        public static let links = Table(LinksTable.self)
        public static let entities = Table(EntitiesTable.self)
        public static let unclaimed = Table(UnclaimedTable.self)
        public static let refundRequests = Table(RefundRequestsTable.self)
        public static let completeness = Table(CompletenessTable.self)
        public static let purchases = Table(PurchasesTable.self)
        public static let retention = Table(RetentionTable.self)
        public static let metrics = Table(MetricsTable.self)
        public static let ruleQuality = Table(RuleQualityTable.self)
        public static let summary = Table(SummaryTable.self)

        /// The registry: a new table is a file with its ``ReportTable``, and its place in this list.
        public static let allCases = [
            receipts, fraud, links, entities, Table(SubscriptionsTable.self), unclaimed, refundRequests, completeness,
            purchases, Table(EvidenceTable.self), Table(AnswersTable.self), retention, metrics, ruleQuality, summary,
        ]

        package let type: any ReportTable.Type

        private init(_ type: any ReportTable.Type) { self.type = type }

        /// - Returns: `nil` if there is no such table.
        public init?(rawValue: String) {
            guard let table = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
            self = table
        }

        /// The name of the table.
        public var rawValue: String { type.name }

        package var schema: TableSchema { type.schema }

        public static func == (a: Self, b: Self) -> Bool { a.type == b.type }
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
    }
}
