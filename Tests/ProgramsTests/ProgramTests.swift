import Foundation
import Programs
import Testing

struct ProgramTests {
    private func shell(_ words: String) -> (program: Program, output: Pipe) {
        let program = Program()
        let output = Pipe()
        program.executableURL = URL(fileURLWithPath: "/bin/sh")
        program.arguments = ["-c", words]
        program.standardOutput = output
        return (program, output)
    }

    private func text(_ output: Pipe) -> String {
        String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    @Test func `however many files are open, it gets its own three`() throws {
        // More than `readdir` reads at once of `/proc/self/fd`; where fewer may be open, as many as may.
        let open = (0..<1_500).map { _ in Foundation.open("/dev/null", O_RDONLY | O_CLOEXEC) }
        defer { open.filter { $0 >= 0 }.forEach { close($0) } }
        let inherited = Foundation.open("/dev/null", O_RDONLY)
        defer { close(inherited) }
        for _ in 0..<40 {
            let (program, output) = shell("ls /proc/$$/fd")
            try program.run()
            #expect(text(output).split(separator: "\n") == ["0", "1", "2"])
            program.waitUntilExit()
            #expect(program.terminationStatus == 0)
        }
    }

    @Test func `folder, environment and input are those that it was given`() throws {
        let (program, output) = shell("pwd; echo $WORD; cat; exit 3")
        let input = Pipe()
        program.currentDirectoryURL = URL(fileURLWithPath: "/usr/bin")
        program.environment = ["WORD": "zwischen den Sitzungen"]
        program.standardInput = input
        try program.run()
        try input.fileHandleForWriting.write(contentsOf: Data("read\n".utf8))
        try input.fileHandleForWriting.close()
        #expect(text(output) == "/usr/bin\nzwischen den Sitzungen\nread\n")
        program.waitUntilExit()
        #expect(program.terminationStatus == 3 && program.signal == nil && !program.isRunning)
    }

    @Test func `a signal that this thread blocks ends it all the same`() throws {
        var (blocked, before) = (sigset_t(), sigset_t())
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let (program, output) = shell("echo begun; exec sleep 600")
        try program.run()
        #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "begun\n")
        #expect(program.isRunning)
        program.terminate()
        program.waitUntilExit()
        #expect(program.signal == SIGTERM && program.terminationStatus == SIGTERM && !program.isRunning)
        // Its number may be another one's by now.
        program.terminate()
    }

    @Test func `several threads may wait for one end`() async throws {
        let (program, output) = shell("read word")
        let input = Pipe()
        program.standardInput = input
        try program.run()
        await withTaskGroup(of: Int32.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    program.waitUntilExit()
                    return program.terminationStatus
                }
            }
            try? input.fileHandleForWriting.close()
            for await status in group { #expect(status == 1) }
        }
        #expect(text(output).isEmpty)
    }

    @Test func `what is not there is said, and nothing has to be waited for`() {
        let program = Program()
        program.executableURL = URL(fileURLWithPath: "/nowhere")
        #expect(throws: POSIXError(.ENOENT)) { try program.run() }
        #expect(!program.isRunning)
        program.waitUntilExit()
        program.terminate()
    }
}
