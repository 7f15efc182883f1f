import Templates
import Testing

@Suite struct LibraryTests {
    struct Page: Encodable {
        var title = "A & B"
        var rows: [Row] = []
        var note: String?
        var mark = HTML(trusted: "<b>&</b>")
        struct Row: Encodable { var name: String; var count: Int; var isNew: Bool }
    }

    func render(_ template: String, _ page: Page = Page()) throws -> String {
        let library = try Library(sources: ["page": template])
        return String(
            decoding: try library.render("page", with: [try ValueEncoder.encode(page)]), as: UTF8.self)
    }

    @Test(arguments: ["{{unknown}}", "{{#unknown}}x{{/unknown}}", "{{title.more}}", "{{rows}}", "{{note}}"])
    func `what is unknown or no text is an error, not an empty place`(template: String) {
        #expect(throws: TemplateError.self) { try render(template) }
    }

    @Test(arguments: [
        ("a\n{{#rows}}", 2), ("{{/rows}}", 1), ("\n\n{{{title}}}", 3), ("{{=<% %>=}}", 1), ("{{", 1),
        ("{{}}", 1),
        ("{{#a}}{{/b}}", 1),
    ])
    func `a broken template names its line`(template: String, line: Int) {
        let error = #expect(throws: TemplateError.self) { try render(template) }
        #expect(error?.line == line)
    }

    @Test func `a template that mentions a missing one is refused when it is loaded`() {
        #expect(throws: TemplateError.self) { try Library(sources: ["a": "{{#x}}{{> b}}{{/x}}"]) }
    }

    @Test func `templates that include each other without end are stopped`() throws {
        let library = try Library(sources: ["a": "{{> b}}", "b": "{{> a}}"])
        #expect(throws: TemplateError.self) { try library.render("a", with: []) }
    }

    @Test func `B8 text is escaped, trusted markup is not, and a template in a value stays text`() throws {
        #expect(try render("{{title}}{{mark}}") == "A &amp; B<b>&</b>")
        let hostile = Page(title: "\"><svg onload='x'>{{7*7}}")
        #expect(try render("{{title}}", hostile) == "&quot;&gt;&lt;svg onload=&#39;x&#39;&gt;{{7*7}}")
    }

    @Test func `rows, numbers, truth and what is absent come from the page`() throws {
        let page = Page(rows: [
            .init(name: "x", count: 3, isNew: true), .init(name: "y", count: 0, isNew: false),
        ])
        let text = try render(
            "{{#rows}}{{name}}{{count}}{{#isNew}}!{{/isNew}};{{/rows}}{{^note}}none{{/note}}", page)
        #expect(text == "x3!;y0;none")
    }

    @Test func `a name in the page wins over the same name in the frame`() throws {
        let library = try Library(sources: ["page": "{{title}} {{site}}"])
        let frame = Value.record(Record([("title", .text("frame")), ("site", .text("clinic"))]))
        let text = try library.render("page", with: [frame, try ValueEncoder.encode(Page(title: "page"))])
        #expect(String(decoding: text, as: UTF8.self) == "page clinic")
    }
}
