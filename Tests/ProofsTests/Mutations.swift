/// Damage to bytes, the same for the same seed.
struct Mutations {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func number(below bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % max(1, bound)
    }

    mutating func octets(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: number(below: 256)) }
    }

    mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...number(below: 3) {
            let place = number(below: bytes.count)
            switch number(below: 6) {
            case 0: bytes[place] ^= 1 << UInt8(number(below: 8))
            case 1: bytes[place] = UInt8(truncatingIfNeeded: number(below: 256))
            case 2: bytes.insert(UInt8(truncatingIfNeeded: number(below: 256)), at: place)
            case 3: bytes.remove(at: place)
            case 4:
                let end = min(bytes.count, place + number(below: 64))
                bytes.insert(contentsOf: bytes[place..<end], at: number(below: bytes.count))
            default: bytes.removeLast(number(below: bytes.count))
            }
            if bytes.isEmpty { return [0] }
        }
        return bytes
    }
}
