import Foundation
import HTTP
import Records
import Testing

@testable import PortalTesting

/// The small things of practice.md that hold for every page.
@Suite struct FormTests {
    /// The templates by their paths.
    static func templates() throws -> [(path: String, text: String)] {
        let root = Cast.root + "/templates"
        return try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".html") }.map
        {
            ($0, try String(contentsOfFile: root + "/" + $0, encoding: .utf8))
        }
    }

    @Test func `forms with fields leave checking to the server, so that the error summary is seen`() throws {
        for (path, text) in try Self.templates() {
            for form in text.matches(of: /<form\b([^>]*)>(.*?)<\/form>/.dotMatchesNewlines()) {
                let head = String(form.1)
                let body = String(form.2)
                guard head.contains("method=\"post\"") else { continue }
                let isTyped =
                    body.contains("_field}}") || body.contains("<select") || body.contains("<textarea")
                    || body.contains(" required")
                #expect(!isTyped || head.contains("novalidate"), "\(path): \(head)")
            }
        }
    }

    /// Pages with a title: it, and the page with what it takes in, and what that takes in.
    private static func wholePages() throws -> [(path: String, title: Substring, text: String)] {
        let all = try templates()
        let texts = Dictionary(all.map { ($0.path, $0.text) }) { first, _ in first }
        func whole(_ path: String, _ depth: Int = 0) -> String {
            let text = texts[path] ?? ""
            if depth > 4 { return text }
            return text.matches(of: /{{> *([a-z\/_-]+)}}/).reduce(text) {
                $0 + whole(String($1.1) + ".html", depth + 1)
            }
        }
        return all.filter { !$0.path.hasPrefix("layouts/") }.compactMap { path, text in
            text.firstMatch(of: /{{\$title}}([^\n]*){{\/title}}/).map { (path, $0.1, whole(path)) }
        }
    }

    @Test func `FD-47 the title of every page that may refuse says so`() throws {
        for (path, title, text) in try Self.wholePages() where text.contains("_errors}}") {
            #expect(title.contains("{{#errors}}{{t.frame.error_prefix}}{{/errors}}"), "\(path)")
        }
    }

    @Test func `LF-10 so does the title of every page with a refusal of its own`() throws {
        // A refusal that a script shows is hidden at first.
        let refusal = /<div class="errors" role="alert"(?![^>]* hidden)/
        let pages = try Self.wholePages().filter { $0.text.contains(refusal) }
        #expect(pages.contains { $0.path == "my/answer-review.html" } && pages.count > 20)
        for page in pages { #expect(page.title.contains("{{t.frame.error_prefix}}"), "\(page.path)") }
    }

    @Test func `every breadcrumb reaches the page`() throws {
        for (path, text) in try Self.templates() {
            for crumbs in text.matches(of: /<nav class="crumbs"[^\n]*/) {
                #expect(crumbs.0.contains("aria-current=\"page\""), "\(path)")
            }
        }
    }

    @Test func `the error summary names the field, and each line leads to it`() throws {
        let portal = try TestPortal()
        let pia = "/patients/\(portal.cast.therapies[.pia] ?? "")"
        let wrong: [(String, [(String, String)], String, String)] = [
            ("/patients/new", [("codename", "c")], "codename", "Codename: "),
            (
                pia + "/therapy-dates", [("therapy_ends_on", "2020-01-01")], "therapy_ends_on",
                "Geplantes Ende: "
            ),
            (pia + "/sessions/new", [("starts_at", "x"), ("ends_at", "x")], "starts_at", "Beginn: "),
            (pia + "/assignments/new", [], "questionnaire_key", "Fragebogen: "),
        ]
        for (path, form, field, label) in wrong {
            let page = portal.post(path, form, as: .ada)
            #expect(page.status == 422, "\(path)")
            #expect(page.text.contains("<a href=\"#\(field)\">\(label)"), "\(path) \(page.text.prefix(3000))")
            #expect(page.text.contains("id=\"\(field)\""), "\(path)")
        }
    }
}
