import Foundation
import Testing

@testable import PortalTesting

/// Files of one target may name each other in a circle, but not all of them at once: a circle has to be read as a whole to be
/// understood. Folders of one target are subjects in an order. Targets cannot stand in a circle, the compiler sees to that.
@Suite struct CycleTests {
    static let largest = 8

    /// How many folders of a target stand in circles, for targets that still have some. A number here only goes down, and at 0
    /// the line goes. The file that names every page of its target (`…Feature.swift`) is not counted.
    static let folders: [String: Int] = [
        "Contributions": 2, "Delivery": 4, "Portal": 3, "PortalClient": 3, "Rules": 2, "Staff": 2,
        "Wearables": 3, "Web": 7, "Wire": 2,
    ]

    @Test func `no circle of files that name each other is larger than eight`() throws {
        for target in try targets() {
            let circle = Self.circles(try files(of: target)).max { $0.count < $1.count } ?? []
            #expect(circle.count <= Self.largest, "\(target): \(circle.sorted())")
        }
    }

    @Test func `folders of a target name each other in one direction`() throws {
        for target in try targets() {
            let files = try files(of: target).filter { !$0.key.contains(/\wFeature\.swift$/) }
            let circles = Self.circles(files, in: Self.folder).filter { $0.count > 1 }
            let count = circles.map(\.count).reduce(0, +)
            #expect(count == Self.folders[target, default: 0], "\(target): \(circles.map { $0.sorted() })")
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

    @Test func `folders stand in a circle though no two of their files do`() {
        let files = [
            "X/a": "struct A { let b: B }", "Y/b": "struct B {}", "Y/c": "struct C { let d: D }",
            "X/d": "struct D {}", "e": "struct E { let a: A }",
        ]
        #expect(Self.circles(files).allSatisfy { $0.count == 1 })
        let found = Self.circles(files, in: Self.folder).map { Set($0) }
        #expect(Set(found) == [["X", "Y"], ["."]])
    }

    private func targets() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: Cast.root + "/Sources").sorted()
    }

    /// Where a file lies within its target.
    static func folder(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    private func files(of target: String) throws -> [String: String] {
        let root = Cast.root + "/Sources/" + target
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
        return try paths.filter { $0.hasSuffix(".swift") }.reduce(into: [:]) { files, path in
            files[path] = try String(contentsOfFile: root + "/" + path, encoding: .utf8)
        }
    }

    /// The files that can be reached from each other, each file in one list; or their folders.
    static func circles(
        _ files: [String: String], in place: (String) -> String = { $0 }
    ) -> [[String]] {
        let code = files.mapValues { text in
            text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
                .joined(separator: "\n").replacing(/"[^"\n]*"/, with: "")
        }
        var homes: [Substring: String] = [:]
        for (file, text) in code.sorted(by: { $0.key < $1.key }) {
            let declared = text.matches(
                of:
                    /(?m)^(?:public |package |final |indirect )*(?:struct|enum|class|actor|protocol|typealias) ([A-Z]\w*)/
            )
            for match in declared { homes[match.output.1] = place(file) }
        }
        let edges = code.reduce(into: [String: Set<String>]()) { edges, file in
            edges[place(file.key), default: []]
                .formUnion(file.value.matches(of: /\b[A-Z]\w*/).compactMap { homes[$0.output] })
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
