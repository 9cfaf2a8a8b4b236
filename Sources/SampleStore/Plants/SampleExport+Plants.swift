extension SampleExport {
    /// Drafts a cluster, by its number.
    func cluster(_ number: Int) -> PlantedCluster {
        PlantedCluster(
            PlantLayout.plant(of: number), turn: PlantLayout.turn(of: number), number: number,
            indices: layout.places(of: number).map(honestIndex), seed: seed)
    }

    /// Which cluster a claim belongs to, and as which of its claims.
    func plantedMember(at index: Int) -> PlantLayout.Member? {
        guard (0..<count).contains(index), forgery(at: index) == nil else { return nil }
        return layout.member(at: index - forgeries(before: index))
    }

    /// The index of a claim that is not forged, by its place among those.
    private func honestIndex(at place: Int) -> Int {
        var (low, high) = (place, count)
        while low < high {
            let middle = low + (high - low) / 2
            if middle + 1 - forgeries(before: middle + 1) > place { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
