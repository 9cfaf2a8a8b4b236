import ArgumentParser

/// The folder that `sample` and `honest` write to, and the seed of their random values.
struct ExportOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The folder to write to: new, or empty.", valueName: "dir"))
    var folder: String

    @Option(help: "The seed of the random values.")
    var seed: UInt64 = 1

    @Flag(help: "Replace what this command wrote to the folder before.")
    var force = false
}
