import Foundation
import Pictures

enum PictureScanCommand: Command {
    static let name = "picture-scan"
    static let summary =
        "Draws the picture that it reads anew, without what its file tells besides; or says why it cannot be kept"
    static let options: [Option] = []

    static func run(_ arguments: Arguments) throws {
        let answer = PictureScanChild.answer(.standardInput)
        try FileHandle.standardOutput.write(contentsOf: answer)
    }
}
