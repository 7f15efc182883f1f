import Foundation
import Testing

@testable import PortalTesting

/// What README and its pages point to is there.
@Suite struct DocumentTests {
    @Test func `every link and every path in the documents leads somewhere`() throws {
        for path in try documents() {
            let text = try String(contentsOfFile: Cast.root + "/" + path, encoding: .utf8)
            #expect(Self.links(in: text).filter { !isThere($0, from: path) } == [], "\(path)")
            // Decisions tell of their time.
            if path.hasPrefix("docs/decisions/") { continue }
            #expect(Self.paths(in: text).filter { !isInTheTree($0) } == [], "\(path)")
        }
    }

    @Test func `links and paths are found`() {
        let text =
            "See [why](docs/a.md#b), [there](https://example.org) and `Web/Pages/Page.swift` or `GET /x`. <img src=\"c.png\">"
        #expect(Self.links(in: text) == ["docs/a.md", "c.png"])
        #expect(Self.paths(in: text) == ["Web/Pages/Page.swift"])
    }

    private func documents() throws -> [String] {
        let pages = try FileManager.default.subpathsOfDirectory(atPath: Cast.root + "/docs")
        return ["README.md", "CONTRIBUTING.md"]
            + pages.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
    }

    /// Links to other files of the project, without their anchors, and pictures for light and dark.
    private static func links(in text: String) -> [String] {
        let links = text.matches(of: /\]\(([^)#\s]+)(?:#[^)]*)?\)/).map { String($0.output.1) }
        let pictures = text.matches(of: /<(?:img|source)[^>]* src(?:set)?="([^"]+)"/).map {
            String($0.output.1)
        }
        return (links + pictures).filter { !$0.contains(":") }
    }

    /// Paths between backticks: `Area/Folder/File.swift`.
    private static func paths(in text: String) -> [String] {
        text.matches(of: /`([A-Za-z]+(?:\/[A-Za-z+]+)+(?:\.swift|\.txt|\.html)?)`/).map {
            String($0.output.1)
        }
        .filter { $0.first?.isUppercase == true }
    }

    private func isThere(_ link: String, from document: String) -> Bool {
        let folder = (Cast.root + "/" + document as NSString).deletingLastPathComponent
        return FileManager.default.fileExists(atPath: folder + "/" + link)
    }

    private func isInTheTree(_ path: String) -> Bool {
        ["", "Sources/", "Tests/PortalTests/"].contains {
            FileManager.default.fileExists(atPath: "\(Cast.root)/\($0)\(path)")
        }
    }
}
