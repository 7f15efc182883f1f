import HTTP
import Testing
import Wire
import Wording

@testable import Records
@testable import Web

/// A form that was changed elsewhere, drawn beside what is stored.
@Suite struct ShownFieldsTests {
    private struct Drawn: Page {
        static let template = "x"
        let fields: [FieldView]
    }

    private let texts: Texts

    init() throws {
        let file = #filePath
        let root = String(file.prefix(file.count - "/Tests/WebTests/ShownFieldsTests.swift".count))
        texts = try Texts(.german, folder: root + "/templates/texts")
    }

    /// A form that showed `day` as 1 and `size` as 4, with another size.
    private var form: Form {
        var fields = [Form.Field("size", "8"), Form.Field("day", "1")]
        for (name, value) in [("day", "1"), ("size", "4")] {
            let mark = ShownFields.field(name, showing: value)
            fields.append(Form.Field(mark.name, mark.value))
        }
        return Form(fields)
    }

    @Test func `ST-1 what is stored in the moment of drawing stands where a form was not touched`() throws {
        // Another one stores the second day after the form was compared, and before it is drawn.
        var stored = ["1", "2", "3", "3"].makeIterator()
        var day = ""
        let page = { (filled: FormState) -> any Page in
            day = stored.next() ?? day
            return Drawn(fields: [
                filled.field("day", label: "forms.yes", first: day),
                filled.field("size", label: "forms.yes", first: "4"),
            ])
        }
        let shown = ShownFields(form, position: 0)
        let present = FormState(texts)
        _ = try page(present)
        let drawn = try #require(try shown.beside(form, present, texts, on: page) as? Drawn)
        #expect(day == "3")
        #expect(drawn.fields.map(\.value) == ["3", "8"])
        #expect(drawn.fields.allSatisfy { $0.stored == nil })
    }

    @Test func `what changes whenever it is looked at is not drawn for ever`() throws {
        var count = 0
        let page = { (filled: FormState) -> any Page in
            count += 1
            return Drawn(fields: [filled.field("day", label: "forms.yes", first: "\(count)")])
        }
        let present = FormState(texts)
        _ = try page(present)
        #expect(throws: Problem.self) {
            try ShownFields(form, position: 0).beside(form, present, texts, on: page)
        }
        #expect(count == 6)
    }
}
