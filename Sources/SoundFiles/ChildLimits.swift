import CSpawn
import Foundation

/// What a child takes from itself, for good, before a decoder sees a byte.
package enum ChildLimits {
    /// - Parameters:
    ///   - memory: beyond what the program takes when it starts.
    ///   - seconds: of processor time.
    ///   - answer: the longest that it writes.
    package static func set(memory: Int, seconds: Int, answer: Int) {
        _ = nice(10)
        _ = spawn_bind_to_parent()
        limit(RLIMIT_AS, (memoryNow ?? 1 << 30) + memory)
        limit(RLIMIT_CPU, seconds, grace: 5)
        limit(RLIMIT_CORE, 0)
        limit(__rlimit_resource(UInt32(SPAWN_RLIMIT_NPROC)), 0)
        // Calls by hand may send the answer to a file.
        var facts = stat()
        let isFile = fstat(STDOUT_FILENO, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
        limit(RLIMIT_FSIZE, isFile ? Int(facts.st_size) + answer : 0)
    }

    /// From now on no file is opened.
    package static func closeFiles() { limit(RLIMIT_NOFILE, 0) }

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
