import CSpawn
import Foundation
import JSON

/// What the command `sound-scan` does: measures one file, in a process that may do nothing else.
public enum SoundScanChild {
    /// Memory beyond what the program takes when it starts.
    static let memory = 256 << 20
    /// An hour of stereo took 11, the largest file that is allowed 55.
    static let seconds = 300
    /// The longest line that it writes.
    static let answerLength = 64 << 10

    /// - Returns: the numbers as one line of JSON.
    public static func numbers(file path: String) throws(SoundProblem) -> String {
        _ = nice(10)
        restrain()
        let measure = try SoundMeasure.measure(file: path) { limit(RLIMIT_NOFILE, 0) }
        guard measure.kind.fits(path: path) else { throw .mismatch }
        return line(measure)
    }

    /// The same for what went wrong.
    public static func line(_ problem: SoundProblem) -> String { line(["problem": problem.rawValue]) }

    private static func line(_ value: some Encodable) -> String {
        String(decoding: (try? JSONWriter.bytes(of: value)) ?? [], as: UTF8.self)
    }

    /// Takes from this process, for good, what measuring does not need.
    private static func restrain() {
        _ = spawn_bind_to_parent()
        limit(RLIMIT_AS, (memoryNow ?? 1 << 30) + memory)
        limit(RLIMIT_CPU, seconds, grace: 5)
        limit(RLIMIT_CORE, 0)
        limit(__rlimit_resource(UInt32(SPAWN_RLIMIT_NPROC)), 0)
        // Whoever calls it by hand may send the line to a file.
        var facts = stat()
        let isFile = fstat(STDOUT_FILENO, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
        limit(RLIMIT_FSIZE, isFile ? Int(facts.st_size) + answerLength : 0)
    }

    private static var memoryNow: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = text.split(separator: " ").first.flatMap({ Int($0) })
        else { return nil }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    /// - Parameter grace: how far the limit lies above that cannot be raised again; at that the kernel kills without a word.
    private static func limit(_ resource: __rlimit_resource, _ value: Int, grace: Int = 0) {
        var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value + grace))
        setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    }
}
