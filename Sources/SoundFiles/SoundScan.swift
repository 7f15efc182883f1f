import Dispatch
import Foundation
import JSON

/// Measures untrusted files in a child process (docs/decisions/0026).
public struct SoundScan: Sendable {
    /// The program with the command `sound-scan`.
    let program: String
    /// The time limit of a child, without waiting for its turn.
    let timeout: Duration

    /// The number measured at the same time: each takes a core.
    private static let turns = DispatchSemaphore(value: 2)

    public init(program: String = Self.ownProgram, timeout: Duration = .seconds(400)) {
        self.program = program
        self.timeout = timeout
    }

    /// This program itself, also after another version has replaced its file. A test program, which has no commands,
    /// uses `intersession` beside it.
    public static let ownProgram: String = {
        let link = "/proc/self/exe"
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else { return link }
        let url = URL(fileURLWithPath: path)
        if url.pathExtension != "xctest" { return link }
        return url.deletingLastPathComponent().appendingPathComponent("intersession").path
    }()

    /// Measures a file. Blocks the calling thread until the child has ended: for threads that serve one connection.
    /// - Parameters:
    ///   - file: its path; a name that ends like a format must be of that format.
    ///   - name: the file's original name.
    ///   - claimed: the media type it was sent with.
    public func run(file: String, name: String? = nil, claimed: String? = nil) throws(SoundProblem)
        -> SoundMeasure
    {
        Self.turns.wait()
        defer { Self.turns.signal() }
        let (output, status) = try answer(about: file)
        guard let json = try? JSON.parse(output) else {
            throw status == .late || status == .signal(SIGXCPU) ? .decoderTimedOut : .decoderFailed
        }
        if let problem = json["problem"]?.string.flatMap(SoundProblem.init(rawValue:)) { throw problem }
        guard status == .exit(0), let measure = SoundMeasure(json) else { throw .decoderFailed }
        guard measure.kind.fits(name: name, claimed: claimed) else { throw .mismatch }
        return measure
    }

    private enum End: Equatable {
        case exit(Int32)
        case signal(Int32)
        case late
    }

    private func answer(about file: String) throws(SoundProblem) -> (output: [UInt8], status: End) {
        let deadline = ContinuousClock.now + timeout
        guard let child = Child(program, ["sound-scan", file]) else { throw .decoderFailed }
        let output = child.output(until: deadline, limit: SoundScanChild.answerLength)
        let status = child.end(by: output == nil ? .now : deadline)
        guard let output, let status else { return ([], .late) }
        // As the macros of wait.h do.
        let signal = status & 0x7f
        return (output, signal == 0 ? .exit(status >> 8 & 0xff) : .signal(signal))
    }
}
