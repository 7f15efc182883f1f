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
        _ = page(present)
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
        _ = page(present)
        #expect(throws: Problem.self) {
            try ShownFields(form, position: 0).beside(form, present, texts, on: page)
        }
        #expect(count == 6)
    }

    @Test func `numbered rows are one whole: what moved from one to another is not mixed`() {
        var fields: [Form.Field] = []
        for (name, shown, typed) in [
            ("outcome_1", "who-5", "who-5"), ("outcome_1_day", "90", "84"), ("outcome_2", "", ""),
            ("size", "4", "4"),
        ] {
            fields.append(Form.Field(name, typed))
            let mark = ShownFields.field(name, showing: shown)
            fields.append(Form.Field(mark.name, mark.value))
        }
        let form = Form(fields)
        let present = ["outcome_1": "phq-9", "outcome_1_day": "90", "outcome_2": "who-5", "size": "6"]
        let laid = ShownFields(form, position: 0).over(present, form)
        #expect(
            laid.form["outcome_1"] == "who-5" && laid.form["outcome_1_day"] == "84"
                && laid.form["size"] == "6")
        #expect(laid.contested == ["outcome_1", "outcome_1_day", "outcome_2"])
        // Where no row was touched all of them are as they are stored.
        let other = Form(fields.map { $0.name == "outcome_1_day" ? Form.Field($0.name, "90") : $0 })
        let taken = ShownFields(other, position: 0).over(present, other)
        #expect(
            taken.form["outcome_1"] == "phq-9" && taken.form["outcome_2"] == "who-5"
                && taken.contested.isEmpty)
    }
}
