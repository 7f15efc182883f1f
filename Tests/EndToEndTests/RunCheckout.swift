import Foundation
import Programs

/// A checkout that holds `bin/run` alone, between programs that only say how they are called.
struct RunCheckout {
    let path: String

    init() throws {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appendingPathComponent("run-\(UUID().uuidString)")
        try files.createDirectory(
            at: folder.appendingPathComponent("bin"), withIntermediateDirectories: true)
        path = folder.resolvingSymlinksInPath().path
        try files.copyItem(atPath: RunningPortal.root + "/bin/run", toPath: path + "/bin/run")
        try write("setup", "exit 0")
        // Asked where the program lies, or to build it.
        try write(
            "swift",
            #"""
            cd "\#(path)/bin"
            case "$*" in
                *--show-bin-path) pwd ;;
                *) cp built intersession ;;
            esac
            """#)
        try write(
            "built",
            #"""
            echo "$1 data=$INTERSESSION_DATA backups=$INTERSESSION_BACKUPS $*" >&2
            case "$1" in
                seed)
                    mkdir -p "$3" && echo x >"$3/intersession.sqlite"
                    echo "ada@example.org / secret (therapist)"
                    ;;
                serve) echo "listening on http://localhost:1234" ;;
            esac
            """#)
    }

    private func write(_ name: String, _ text: String) throws {
        let file = "\(path)/bin/\(name)"
        try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    }

    /// What `bin/run` says until it and all that it started have ended.
    func run(_ environment: [String: String]) throws -> (output: String, error: String) {
        let process = Program()
        process.executableURL = URL(fileURLWithPath: path + "/bin/run")
        process.environment = environment.merging(["PATH": path + "/bin:/usr/bin:/bin"]) { $1 }
        let output = Pipe()
        let error = Pipe()
        process.standardOutput = output
        process.standardError = error
        try process.run()
        let said = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self), said)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
