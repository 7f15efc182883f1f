import JSON

/// The command `sound-scan`: measures one file, in a process that may do nothing else.
public enum SoundScanChild {
    /// Memory beyond the program's own at its start.
    static let memory = 256 << 20
    /// The limit of processor time: an hour of stereo took 11, the largest allowed file 55.
    static let seconds = 300
    /// The longest line of output.
    static let answerLength = 64 << 10

    /// - Returns: the numbers as one line of JSON.
    public static func numbers(file path: String) throws(SoundProblem) -> String {
        ChildLimits.set(memory: memory, seconds: seconds, answer: answerLength)
        let measure = try SoundMeasure.measure(file: path) { ChildLimits.closeFiles() }
        guard measure.kind.fits(path: path) else { throw .mismatch }
        return line(measure)
    }

    /// The same for a failure.
    public static func line(_ problem: SoundProblem) -> String { line(["problem": problem.rawValue]) }

    private static func line(_ value: some Encodable) -> String {
        String(decoding: (try? JSONWriter.bytes(of: value)) ?? [], as: UTF8.self)
    }
}
