/// The assignment of an export's honest claims to planted clusters, in integers and without a table.
///
/// Clusters are numbered in turns of all kinds, and their claims consecutively. A stride that permutes those numbers
/// sends neighbours far apart, and the result is spread evenly over the claims that are not forged.
struct PlantLayout: Sendable {
    /// A claim of a cluster.
    struct Member: Equatable { var cluster, number: Int }

    /// The number of clusters.
    let clusters: Int
    /// The number of claims of all clusters.
    let claims: Int
    private let honest: Int
    private let stride: Int
    private let inverse: Int

    /// Makes a layout with the most whole clusters that a number of claims allows.
    init(honest: Int, budget: Int) {
        self.honest = max(honest, 0)
        let budget = max(0, min(budget, honest))
        let (periods, rest) = budget.quotientAndRemainder(dividingBy: Self.claimsOfPeriod)
        clusters = periods * Self.clustersOfPeriod + Self.starts.count { $0 <= rest } - 1
        claims = Self.start(of: clusters)
        (stride, inverse) = Self.stride(modulo: claims)
    }

    /// Returns the kind of a cluster: all take turns.
    static func plant(of cluster: Int) -> Plant { Plant.allCases[cluster % Plant.allCases.count] }

    /// Returns the number of earlier clusters of the same kind.
    static func turn(of cluster: Int) -> Int { cluster / Plant.allCases.count }

    /// Returns the positions of a cluster's claims among the honest ones.
    func places(of cluster: Int) -> [Int] {
        (Self.start(of: cluster)..<Self.start(of: cluster + 1)).map { number in
            let slot = Self.scaled(number, by: stride, over: claims).remainder
            return Self.scaled(slot, by: honest, over: claims).quotient
        }
    }

    /// Returns the claim of a cluster at a position among the honest ones, if there is one.
    func member(at place: Int) -> Member? {
        guard claims > 0, (0..<honest).contains(place) else { return nil }
        let (below, rest) = Self.scaled(place, by: claims, over: honest)
        let slot = rest == 0 ? below : below + 1
        guard slot < claims, Self.scaled(slot, by: honest, over: claims).quotient == place else { return nil }
        let number = Self.scaled(slot, by: inverse, over: claims).remainder
        let (period, within) = number.quotientAndRemainder(dividingBy: Self.claimsOfPeriod)
        let position = Self.starts.count { $0 <= within } - 1
        return Member(
            cluster: period * Self.clustersOfPeriod + position, number: within - Self.starts[position])
    }

    /// Returns the number of claims in all clusters before this one.
    private static func start(of cluster: Int) -> Int {
        let (period, position) = cluster.quotientAndRemainder(dividingBy: clustersOfPeriod)
        return period * claimsOfPeriod + starts[position]
    }

    /// The starts of the clusters, over as many turns as it takes for the sizes to repeat; the last element is the end.
    private static let starts: [Int] = (0..<clustersOfPeriod).reduce(into: [0]) { starts, cluster in
        starts.append(starts[cluster] + plant(of: cluster).claims(turn: turn(of: cluster)))
    }
    private static let clustersOfPeriod = Plant.turnsOfSizes * Plant.allCases.count
    private static let claimsOfPeriod = starts[clustersOfPeriod]

    /// Returns a stride near the golden ratio that is coprime to the modulus, and its inverse.
    private static func stride(modulo modulus: Int) -> (Int, Int) {
        guard modulus > 1 else { return (1, 1) }
        var stride = max(1, modulus / 1000 * 618 + modulus % 1000 * 618 / 1000)
        while true {
            // Euclid's algorithm, which records how often the stride goes into each remainder.
            var (a, b) = (modulus, stride)
            var (x, y) = (0, 1)
            while b > 0 {
                (x, y) = (y, x - a / b * y)
                (a, b) = (b, a % b)
            }
            if a == 1 { return (stride, x < 0 ? x + modulus : x) }
            stride += 1
        }
    }

    /// Returns `number * factor / divisor` and the remainder, for numbers below the divisor or factors below it.
    private static func scaled(
        _ number: Int, by factor: Int, over divisor: Int
    ) -> (quotient: Int, remainder: Int) {
        let product = UInt64(number).multipliedFullWidth(by: UInt64(factor))
        let (quotient, remainder) = UInt64(divisor).dividingFullWidth(product)
        return (Int(quotient), Int(remainder))
    }
}
