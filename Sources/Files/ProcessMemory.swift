/// The memory of this process, as the kernel counts it (proc(5)).
public enum ProcessMemory {
    /// The most that was resident at once, in bytes; `nil` if `/proc` does not say.
    public static var peak: Int? {
        guard let bytes = try? FileContents.bytes(of: "/proc/self/status", limit: 1 << 16) else { return nil }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where line.hasPrefix("VmHWM:") {
            return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
        }
        return nil
    }
}
