import Foundation
import Testing

@testable import Records

/// Files named by their bytes.
@Suite final class HashedFilesTests {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    var files: HashedFiles { HashedFiles(folder + "/kept") }

    init() throws {
        try FileManager.default.createDirectory(
            atPath: folder + "/kept", withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func incoming(_ text: String) throws -> String {
        let path = folder + "/" + UUID().uuidString
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func `SN-1 a file is kept once under the hash that others come to as well`() throws {
        let first = try incoming("abc")
        let hash = try files.keep(first)
        // From FIPS 180-4.
        #expect(hash == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(!FileManager.default.fileExists(atPath: first))
        #expect(files.path(hash) == "\(folder)/kept/ba/\(hash.dropFirst(2))" && files.size(hash) == 3)
        #expect(try files.keep(incoming("abc")) == hash)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder + "/kept").count == 2)
        #expect(HashedFiles.hash(of: Array("abc".utf8)) == hash)
    }

    @Test(arguments: [
        "", "..", "../../etc/passwd", String(repeating: "A", count: 64), String(repeating: "g", count: 64),
    ])
    func `SN-1 what is no hash leads nowhere`(text: String) {
        #expect(files.path(text) == nil && files.size(text) == nil)
    }

    @Test func `what cannot be moved stays where it was`() throws {
        let path = try incoming("abc")
        #expect(throws: POSIXError.self) { try HashedFiles(folder + "/missing").keep(path) }
        #expect(FileManager.default.fileExists(atPath: path))
    }
}
