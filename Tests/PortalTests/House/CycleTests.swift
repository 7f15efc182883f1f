import Foundation
import Testing

@testable import PortalTesting

/// Files of one target may name each other in a circle, but not all of them at once: who wants to understand one of a circle
/// has to read them all. Targets cannot, the compiler sees to that.
@Suite struct CycleTests {
    static let largest = 15

    @Test func `no circle of files that name each other is larger than fifteen`() throws {
        for target in try FileManager.default.contentsOfDirectory(atPath: Cast.root + "/Sources").sorted() {
            let circle = Self.circles(try files(of: target)).max { $0.count < $1.count } ?? []
            #expect(circle.count <= Self.largest, "\(target): \(circle.sorted())")
        }
    }

    @Test func `a circle is found, and a chain is none`() {
        let chain = ["a": "struct A { let b: B }", "b": "struct B { let c: C }", "c": "struct C {}"]
        #expect(Self.circles(chain).allSatisfy { $0.count == 1 })
        let circle = [
            "a": "struct A { let b: B }", "b": "struct B { let c: C }", "c": "enum C { case a(A) }",
        ]
        #expect(Self.circles(circle).map { Set($0) } == [["a", "b", "c"]])
    }

    private func files(of target: String) throws -> [String: String] {
        let root = Cast.root + "/Sources/" + target
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
        return try paths.filter { $0.hasSuffix(".swift") }.reduce(into: [:]) { files, path in
            files[path] = try String(contentsOfFile: root + "/" + path, encoding: .utf8)
        }
    }

    /// The files that can be reached from each other, each file in one list.
    static func circles(_ files: [String: String]) -> [[String]] {
        let code = files.mapValues { text in
            text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
                .joined(separator: "\n").replacing(/"[^"\n]*"/, with: "")
        }
        var homes: [Substring: String] = [:]
        for (file, text) in code {
            let declared = text.matches(
                of:
                    /(?m)^(?:public |package |final |indirect )*(?:struct|enum|class|actor|protocol|typealias) ([A-Z]\w*)/
            )
            for match in declared { homes[match.output.1] = file }
        }
        let edges = code.mapValues { text in
            Set(text.matches(of: /\b[A-Z]\w*/).compactMap { homes[$0.output] })
        }
        let reached = edges.keys.reduce(into: [String: Set<String>]()) { reached, file in
            var found = Set<String>()
            var waiting = [file]
            while let next = waiting.popLast() {
                for other in edges[next] ?? [] where found.insert(other).inserted { waiting.append(other) }
            }
            reached[file] = found
        }
        var left = Set(edges.keys)
        var circles: [[String]] = []
        while let file = left.first {
            let circle = left.filter {
                $0 == file
                    || reached[file, default: []].contains($0) && reached[$0, default: []].contains(file)
            }
            circles.append(Array(circle))
            left.subtract(circle)
        }
        return circles
    }
}
