import Foundation
import Testing

@testable import Files

/// What a signal does to a process that writes files, before and after it puts them in place.
struct `A signal` {
    @Test func `ends a process that has not published its files after a second, and removes their temporary files`()
        async throws
    {
        let folder = try TestFolder()
        try folder.write("old", to: "a")
        let path = folder.path("a")
        await #expect(processExitsWith: .exitCode(143)) { [path = path as String] in
            Interruption.watch()
            let file = try OutputFile(replacing: path)
            kill(getpid(), SIGTERM)
            withExtendedLifetime(file) { Self.wait(60) }
        }
        #expect(try folder.names == ["a"])
        #expect(folder.text(of: "a") == "old")
    }

    @Test func `does not end a process that has published its files`() async throws {
        let folder = try TestFolder()
        try folder.write("old", to: "a")
        let path = folder.path("a")
        await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
            Interruption.watch()
            let file = try OutputFile(replacing: path)
            try file.write(Array("new".utf8).span)
            try file.finish()
            try file.publish()
            kill(getpid(), SIGTERM)
            Self.wait(2.5)
            exit(Interruption.isPastPublication && Interruption.signal == SIGTERM ? 7 : 1)
        }
        #expect(folder.text(of: "a") == "new")
    }

    @Test func `ends a process whose files could not be published`() async throws {
        let folder = try TestFolder()
        let path = folder.path("b/a")
        await #expect(processExitsWith: .exitCode(143)) { [path = path as String] in
            Interruption.watch()
            let file = try OutputFile(replacing: path)
            try file.finish()
            try FileManager.default.removeItem(atPath: PathParts(path).folder)
            do { try file.publish() } catch {
                kill(getpid(), SIGTERM)
                Self.wait(60)
            }
        }
    }

    @Test func `cannot end a process that is publishing, nor can one be published that is ending`() async throws {
        await #expect(processExitsWith: .exitCode(9)) {
            Interruption.watch()
            Interruption.beginPublication()
            kill(getpid(), SIGTERM)
            Self.wait(1.5)
            // The handler came and waits for the end of the publication, which fails.
            Interruption.endPublication(false)
            signal(SIGALRM, SIG_IGN)
            exit(9)
        }
        await #expect(processExitsWith: .exitCode(143)) {
            Interruption.watch()
            kill(getpid(), SIGTERM)
            Self.wait(60)
            exit(9)
        }
    }

    /// Waits for some seconds, whatever signals arrive: a minute where a signal is to end the process, as a busy machine
    /// may deliver it late.
    private static func wait(_ seconds: Double) {
        let end = Date(timeIntervalSinceNow: seconds)
        while Date() < end { usleep(10_000) }
    }
}
