import ArgumentParser
import Files
import FoundationEssentials

/// A number of bytes: `64M`, `2G`, `500000`.
struct MemorySize: ExpressibleByArgument {
    let bytes: Int

    init?(argument: String) {
        let units: [(suffix: String, factor: Int)] = [("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30)]
        let text = argument.uppercased()
        let unit = units.first {
            text.hasSuffix($0.suffix) || text.hasSuffix($0.suffix + "B") || text.hasSuffix($0.suffix + "IB")
        }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let rest = text[digits.endIndex...]
        guard let number = Int(digits), unit != nil || rest.isEmpty || rest == "B",
            unit.map({ [$0.suffix, $0.suffix + "B", $0.suffix + "IB"].contains(String(rest)) }) ?? true
        else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: unit?.factor ?? 1)
        guard !overflow else { return nil }
        self.bytes = bytes
    }

    /// A quarter of what this process may have: the machine's memory, or less if its control group or its limits say so.
    static var standard: Int {
        var memory = Int(min(ProcessInfo.processInfo.physicalMemory, UInt64(Int.max)))
        if let limit = try? String(contentsOfFile: "/sys/fs/cgroup/memory.max", encoding: .utf8),
            let bytes = Int(limit.trimmingPrefix(while: \.isWhitespace).prefix(while: \.isNumber))
        {
            memory = min(memory, bytes)
        }
        if let limit = SystemLimits.freeAddressSpace { memory = min(memory, Int(clamping: limit)) }
        return memory / 4
    }
}
