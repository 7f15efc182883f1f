import CSpawn
import Dispatch
public import Foundation
import SoundFiles

/// The server's side: sends a picture to a child and reads what it drew.
enum PictureScan {
    /// As many as there are drawn at the same time; sounds have turns of their own, and take longer.
    static let turns = DispatchSemaphore(value: 2)

    /// - Returns: nothing when the child wrote too much, took too long or did not end well.
    /// - Throws: `unavailable` where no child could be started, or none had an end in time.
    static func answer(
        _ file: [UInt8], by program: String, turns: DispatchSemaphore = turns,
        wait: DispatchTimeInterval = .seconds(PictureScanChild.seconds)
    ) throws(PictureFile.Fault) -> [UInt8] {
        guard turns.wait(timeout: .now() + wait) == .success else { throw .unavailable }
        defer { turns.signal() }
        // A file in memory alone: the child opens none.
        let input = memfd_create("picture", UInt32(MFD_CLOEXEC))
        guard input >= 0 else { throw .unavailable }
        defer { close(input) }
        guard file.withUnsafeBytes({ write(input, $0.baseAddress, $0.count) }) == file.count,
            lseek(input, 0, SEEK_SET) == 0, let child = Child(program, ["picture-scan"], input: input)
        else { throw .unavailable }
        let deadline = ContinuousClock.now + .seconds(PictureScanChild.seconds + 10)
        let output = child.output(until: deadline, limit: PictureScanChild.answerLength)
        let status = child.end(by: output == nil ? .now : deadline)
        return status == 0 ? output ?? [] : []
    }
}

/// What the command `picture-scan` does: draws one picture anew, in a process that may do nothing else.
public enum PictureScanChild {
    /// Memory beyond what the program takes when it starts: the largest picture, decoded, and what the encoder needs for it.
    static let memory = 640 << 20
    /// The largest took 12.
    static let seconds = 30
    static let answerLength = PictureFile.mostBytes

    /// - Parameter input: the file, read to its end.
    /// - Returns: what the server reads.
    public static func answer(_ input: FileHandle) -> [UInt8] {
        ChildLimits.set(memory: memory, seconds: seconds, answer: answerLength)
        guard let file = try? input.read(upToCount: PictureFile.mostBytes + 1),
            file.count <= PictureFile.mostBytes
        else { return line(.broken) }
        ChildLimits.closeFiles()
        do {
            return try PictureFile(drawing: Array(file)).answer
        } catch { return line(error) }
    }

    private static func line(_ fault: PictureFile.Fault) -> [UInt8] { Array((fault.rawValue + "\n").utf8) }
}
