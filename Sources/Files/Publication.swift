/// Puts files in their places together.
public enum Publication {
    /// Puts all of these finished files in their places, or none of them.
    ///
    /// Each takes its place at once, one after the other, and their folders are flushed. If one of them cannot, those
    /// before it give their places back to what was there. Where the file system cannot exchange two files
    /// (`renameat2`), those before it stay. From then on signals no longer end the process (``Interruption``).
    public static func publish(_ files: [OutputFile]) throws(FileError) {
        Interruption.beginPublication()
        do throws(FileError) {
            for file in files { try file.place() }
            for file in files { try file.syncFolder() }
        } catch {
            for file in files.reversed() { file.retract() }
            Interruption.endPublication(false)
            throw error
        }
        Interruption.endPublication(true)
        for file in files { file.settle() }
    }
}
