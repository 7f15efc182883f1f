import Database
import Dispatch
import Foundation
import Testing

@Suite struct BackupTests {
    @Test func `a file that is no database is reported, not copied`() throws {
        try withDatabase { _, path in
            let broken = path + ".broken"
            try Data("this is no database, and long enough to be looked at".utf8)
                .write(to: URL(fileURLWithPath: broken))
            #expect(throws: DatabaseError.self) { try Backup.copy(from: broken, to: path + ".copy") }
            #expect(!FileManager.default.fileExists(atPath: path + ".copy"))
            #expect(!FileManager.default.fileExists(atPath: path + ".copy.partial"))
        }
    }

    @Test func `a copy is a file by itself: nothing appears beside it when it is looked at`() throws {
        try withDatabase { database, path in
            try database.write { try $0.run("INSERT INTO notes (text) VALUES ('kept')") }
            let folder = path + ".disk"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let copy = folder + "/copy.sqlite"
            try Backup.copy(from: path, to: copy)
            let before = try Data(contentsOf: URL(fileURLWithPath: copy))
            try #expect(Backup.problems(in: copy) == [])
            let count: Int? = try DatabasePlace.file(copy).look { try $0.value("SELECT count(*) FROM notes") }
            #expect(count == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["copy.sqlite"])
            #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == before)
        }
    }

    @Test func `G5 copies taken while writing are whole and grow`() throws {
        try withDatabase { database, path in
            var counts: [Int] = []
            for round in 0..<5 {
                DispatchQueue.concurrentPerform(iterations: 20) { number in
                    try? database.write { connection in
                        let text = "\(round)-\(number)"
                        try connection.run("INSERT INTO notes (text) VALUES (\(text))")
                    }
                    if number == 10 { try? Backup.copy(from: path, to: "\(path).\(round)") }
                }
                let copy = "\(path).\(round)"
                try #expect(Backup.problems(in: copy) == [])
                let opened = try OpenDatabase(.file(copy), readers: 1)
                defer { opened.close() }
                counts.append(try countNotes(in: opened))
            }
            #expect(counts == counts.sorted())
            #expect(counts.last.map { $0 > 80 } == true)
        }
    }
}
