import Rules
import Subscriptions

extension AuditRun {
    /// Merges the findings, and makes the tables that name them and their claims ready to be written.
    ///
    /// - Parameter encoders: the formats of rows; if links are wanted, the last one is that of their facts.
    func join(
        _ mapped: MappedClaims, _ found: FoundFindings, encoders: [RowEncoder], completeness: Completeness? = nil,
        isStopped: @escaping @Sendable () -> Bool
    ) throws -> AuditResult {
        var mapped = mapped
        mapped.tally.waves += found.waves
        let namedApps = rules.policy.apps.isEmpty ? mapped.tally.apps.apps.union(history.apps) : nil
        let links = withLinks ? LinkSorter(storage.divided(by: 4)) : nil
        let entities = withEntities ? EntityStage(rules, storage.divided(by: 8)) : nil
        let table = try FindingTable(
            found.findings, mapped.tally.waves, mapped.tally.accounts.placeholders, rules, history,
            storage.divided(by: 4), entities, pipeline, isStopped: isStopped)
        try entities?.add(parts: found.entityParts)
        let firstPresented = [mapped.tally.firstPresented, history.firstPresented].compactMap(\.self).min()
        return AuditResult(
            mapped, found, table,
            RowJoin(mapped, found, encoders: encoders, table.counts.notices, links: links, pipeline), entities,
            rules: rules, namedApps: namedApps,
            unclaimed: UnclaimedWindow(since: firstPresented, asOf: found.figures.asOf, unclaimed, apps: namedApps),
            completeness: completeness, isStopped: isStopped)
    }
}
