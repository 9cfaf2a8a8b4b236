/// A natural number, for forging signatures without a private key. It is slow, and never used to verify anything.
struct ForgedNumber: Comparable {
    /// Limbs of 32 bits, the lowest first, without trailing zeros.
    private var limbs: [UInt32]

    /// Reads bytes, the highest first.
    init(_ octets: some Sequence<UInt8>) {
        limbs = []
        for (index, octet) in octets.reversed().enumerated() {
            if index.isMultiple(of: 4) { limbs.append(0) }
            limbs[index / 4] |= UInt32(octet) << UInt32(8 * (index % 4))
        }
        normalize()
    }

    private init(limbs: [UInt32]) {
        self.limbs = limbs
        normalize()
    }

    private mutating func normalize() { while limbs.last == 0 { limbs.removeLast() } }

    /// Returns the bytes, the highest first, padded with leading zeros to this count; `nil` if there are more.
    func octets(_ count: Int) -> [UInt8]? {
        var octets = limbs.reversed().flatMap { limb in
            (0..<4).map { UInt8(truncatingIfNeeded: limb >> UInt32(24 - 8 * $0)) }
        }
        while octets.first == 0 { octets.removeFirst() }
        guard octets.count <= count else { return nil }
        return [UInt8](repeating: 0, count: count - octets.count) + octets
    }

    static func < (a: ForgedNumber, b: ForgedNumber) -> Bool {
        guard a.limbs.count == b.limbs.count else { return a.limbs.count < b.limbs.count }
        return a.limbs.reversed().lexicographicallyPrecedes(b.limbs.reversed())
    }

    static func + (a: ForgedNumber, b: ForgedNumber) -> ForgedNumber {
        var sum: [UInt32] = []
        var carry: UInt64 = 0
        for index in 0..<max(a.limbs.count, b.limbs.count) {
            carry += UInt64(index < a.limbs.count ? a.limbs[index] : 0)
            carry += UInt64(index < b.limbs.count ? b.limbs[index] : 0)
            sum.append(UInt32(truncatingIfNeeded: carry))
            carry >>= 32
        }
        sum.append(UInt32(truncatingIfNeeded: carry))
        return ForgedNumber(limbs: sum)
    }

    static func * (a: ForgedNumber, b: ForgedNumber) -> ForgedNumber {
        var product = [UInt32](repeating: 0, count: a.limbs.count + b.limbs.count)
        for (i, limb) in a.limbs.enumerated() {
            var carry: UInt64 = 0
            for (j, other) in b.limbs.enumerated() {
                carry += UInt64(limb) * UInt64(other) + UInt64(product[i + j])
                product[i + j] = UInt32(truncatingIfNeeded: carry)
                carry >>= 32
            }
            product[i + b.limbs.count] = UInt32(truncatingIfNeeded: carry)
        }
        return ForgedNumber(limbs: product)
    }

    /// The largest number whose third power is not greater than this one.
    var cubeRoot: ForgedNumber {
        var root = ForgedNumber(limbs: [UInt32](repeating: 0, count: limbs.count / 3 + 1))
        for bit in (0..<(32 * (limbs.count / 3 + 1))).reversed() {
            var larger = root.limbs + [UInt32](repeating: 0, count: limbs.count / 3 + 1 - root.limbs.count)
            larger[bit / 32] |= 1 << UInt32(bit % 32)
            let candidate = ForgedNumber(limbs: larger)
            if candidate * candidate * candidate <= self { root = candidate }
        }
        return root
    }
}
