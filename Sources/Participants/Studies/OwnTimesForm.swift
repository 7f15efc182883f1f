import HTTP
import JSON
import Scheduling
import Studies
import Web
import Wire
import Wording

/// The fields for own times, named like the members of the call's plan: the same rules, and errors at their field.
struct OwnTimesForm {
    let plan: NotificationTimes
    let filled: FormState
    /// Prompts of every week or month have one time and no day.
    let isDaily: Bool
    /// Their short names, Monday first.
    let weekdays: [String]

    var option: FieldView {
        filled.list(
            "option", label: "own_studies.option", first: plan.option.rawValue,
            NotificationPlan.options.map { ($0, filled.texts["own_studies.option_\($0)"]) })
    }

    var amount: FieldView {
        filled.field(
            "amount", .whole, label: "own_studies.amount", first: String(max(1, plan.amount)),
            hint: "own_studies.amount_hint")
    }

    var windows: [OwnTimesPages.Edit.Row] {
        (0..<7).map { index in
            let window = plan.windows.first { $0.weekday == index + 1 }
            let place = "windows.\(index)"
            let first = NotificationTimes.Window.first
            filled.name(place, weekdays[index])
            return OwnTimesPages.Edit.Row(
                id: place, title: weekdays[index],
                error: filled.errors.list.first { $0.field == place }.map { filled.texts[$0.message] },
                fields: [
                    filled.box(
                        "\(place).enabled", label: "own_studies.enabled", isOn: window?.isEnabled ?? true),
                    clock("\(place).from", "own_studies.from", window?.from ?? first.from),
                    clock("\(place).till", "own_studies.till", window?.till ?? first.till),
                ], fixed: nil)
        }
    }

    private static let most = NotificationTimes.most

    /// The name of the field that holds all times as one value.
    static let all = "times_all"

    /// All times as they are stored; not to be seen. What was changed elsewhere is found by all of them together: one time has no name by
    /// which it would be known again in another place.
    var all: FieldView {
        let first = Self.list(of: plan.times, isDaily: isDaily)
        var field = filled.field(Self.all, label: "own_studies.fixed_times", first: first)
        field.value = first
        return field
    }

    /// The present ones and those that were typed, and two empty rows.
    var times: [OwnTimesPages.Edit.Row] {
        if !isDaily { return [time(0, plan.times.first, hasDay: false)] }
        let typed = (0..<Self.most).last { Self.isFilled($0, filled.form) }.map { $0 + 1 } ?? 0
        return (0..<min(Self.most, max(plan.times.count, typed) + 2)).map { index in
            time(index, index < plan.times.count ? plan.times[index] : nil, hasDay: true)
        }
    }

    private func time(
        _ index: Int, _ time: NotificationTimes.Time?, hasDay: Bool
    ) -> OwnTimesPages.Edit.Row {
        let place = "times.\(index)"
        let days =
            [("", filled.texts["own_studies.every_day"])]
            + weekdays.enumerated().map { (String($0.offset + 1), $0.element) }
        let day = filled.list(
            "\(place).weekday", label: "own_studies.weekday",
            first: time?.weekday.map { String($0) } ?? "", days)
        let at = clock("\(place).at", "own_studies.at", time?.at)
        return OwnTimesPages.Edit.Row(
            id: place, title: filled.texts["own_studies.time_number", ["n": String(index + 1)]], error: nil,
            fields: (hasDay ? [day, at] : [at]).map(Self.withoutMark),
            fixed: Self.withoutMark(
                filled.box("\(place).fixed", label: "own_studies.at", isOn: time?.isFixed ?? false)))
    }

    /// Compared is the field of all times.
    private static func withoutMark(_ field: FieldView) -> FieldView {
        var field = field
        field.shown = nil
        return field
    }

    private func clock(_ name: String, _ label: String, _ first: ClockTime?) -> FieldView {
        filled.field(name, .time, label: label, first: first?.text ?? "")
    }

    // MARK: Input

    private static func isFilled(_ row: Int, _ form: Form) -> Bool {
        form.all("times.\(row).at").last?.isEmpty == false
    }

    private static func list(of times: [NotificationTimes.Time], isDaily: Bool) -> String {
        times.prefix(isDaily ? most : 1).map { time in
            line(time.at.text, isDaily ? time.weekday.map { String($0) } : nil, time.isFixed)
        }.joined(separator: ", ")
    }

    private static func list(typedIn form: Form, isDaily: Bool) -> String {
        (0..<(isDaily ? most : 1)).filter { isFilled($0, form) }.map { row in
            let value = { (part: String) in form.all("times.\(row).\(part)").last ?? "" }
            return line(value("at"), isDaily ? value("weekday") : nil, !value("fixed").isEmpty)
        }.joined(separator: ", ")
    }

    private static func line(_ at: String, _ weekday: String?, _ isFixed: Bool) -> String {
        [weekday ?? "", at, isFixed ? "fixed" : ""].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The form with its times as one value, and with the stored ones where it left all of them as it showed them.
    static func laid(
        _ form: Form, over stored: NotificationTimes, isDaily: Bool, _ shown: ShownFields?
    ) -> Form {
        let typed = list(typedIn: form, isDaily: isDaily)
        let now = list(of: stored.times, isDaily: isDaily)
        var fields = form.fields.filter { $0.name != all }
        guard shown?.isUntouched(typed, in: all) == true, typed != now else {
            return Form(fields + [Form.Field(all, typed)])
        }
        fields.removeAll { $0.name.hasPrefix("times.") }
        for (row, time) in stored.times.prefix(isDaily ? most : 1).enumerated() {
            fields += [
                Form.Field("times.\(row).at", time.at.text),
                Form.Field("times.\(row).weekday", time.weekday.map { String($0) } ?? ""),
                Form.Field("times.\(row).fixed", time.isFixed ? "true" : ""),
            ]
        }
        return Form(fields + [Form.Field(all, now)])
    }

    static func withoutGaps(_ filled: FormState) -> FormState {
        FormState(
            withoutGaps(filled.form), filled.errors, filled.texts, isStale: filled.isStale,
            stored: filled.stored)
    }

    /// The form with windows that begin after their end turned round, as they would be stored: that is asked before it is done.
    static func exchanged(_ filled: FormState) -> FormState {
        var fields = filled.form.fields
        for index in 0..<7 {
            let names = ["from", "till"].map { "windows.\(index).\($0)" }
            let clocks = names.compactMap { filled.form.all($0).last.flatMap(ClockTime.init) }
            guard clocks.count == 2, clocks[1] < clocks[0] else { continue }
            fields.removeAll { names.contains($0.name) }
            fields += [Form.Field(names[0], clocks[1].text), Form.Field(names[1], clocks[0].text)]
        }
        return FormState(
            Form(fields), filled.errors, filled.texts, isStale: filled.isStale, stored: filled.stored)
    }

    /// The form with its empty lines behind the times: every time has the number of its errors.
    static func withoutGaps(_ form: Form) -> Form {
        let rows = (0..<most).filter { form["times.\($0).at"] != nil }
        let ordered = rows.filter { isFilled($0, form) } + rows.filter { !isFilled($0, form) }
        var fields = form.fields.filter { !$0.name.hasPrefix("times.") }
        for (index, row) in ordered.enumerated() {
            for part in ["weekday", "at", "fixed"] {
                guard let value = form.all("times.\(row).\(part)").last else { continue }
                fields.append(Form.Field("times.\(index).\(part)", value))
            }
        }
        return Form(fields)
    }

    static func json(of form: Form, isDaily: Bool) -> JSON {
        let text = { (name: String) -> JSON? in
            form.all(name).last.flatMap { $0.isEmpty ? nil : .string($0) }
        }
        let option = isDaily ? text("option") ?? .string("") : .string("custom")
        var members: [JSON.Member] = [.init("option", option)]
        if isDaily {
            if let amount = text("amount")?.string {
                let number = TypedNumber(amount, meant: form[TypedNumber.meantName("amount")])?.value
                members.append(.init("amount", number.map(JSON.number) ?? .string(amount)))
            }
            members.append(.init("windows", .array((0..<7).map { window($0, text) })))
        }
        let rows = (0..<most).prefix { text("times.\($0).at") != nil }
        let times = rows.map { row -> JSON in
            let place = "times.\(row)."
            var time: [JSON.Member] = [.init("at", text(place + "at") ?? .string(""))]
            if let day = text(place + "weekday") { time.append(.init("weekday", day)) }
            time.append(.init("fixed", .bool(text(place + "fixed") != nil)))
            return .object(time)
        }
        members.append(.init("times", .array(times)))
        return .object(members)
    }

    private static func window(_ index: Int, _ text: (String) -> JSON?) -> JSON {
        let place = "windows.\(index)."
        var window: [JSON.Member] = [
            .init("weekday", .number(Double(index + 1))),
            .init("enabled", .bool(text(place + "enabled") != nil)),
        ]
        if let from = text(place + "from") { window.append(.init("from", from)) }
        if let till = text(place + "till") { window.append(.init("till", till)) }
        return .object(window)
    }
}
