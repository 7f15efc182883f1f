import Scheduling
import Studies
import Web
import Wire
import Wording

/// The form of a questionnaire of a study.
extension StudyItemPages {
    static func fields(
        _ draft: StudyItemDraft, _ filled: FormState, _ c: Context<StudyLead>
    ) -> [FieldView] {
        let form = StudyItemForm(filled: filled, texts: c.texts)
        let fields =
            [
                form.check("is_active", draft.isActive), form.check("is_onetime", draft.isOnetime),
                form.choice(
                    "baseline", "studies.baseline", draft.baseline?.rawValue ?? "none",
                    [
                        ("none", "studies.baseline_none"), ("required", "studies.baseline_required"),
                        ("recommended", "studies.baseline_recommended"),
                    ]),
            ] + form.schedule(draft.schedules.first) + [
                form.check("is_schedule_changeable", draft.isScheduleChangeable),
                form.check("allows_overnight", draft.allowsOvernight),
                form.check("gps", draft.usesGPS), form.check("microphone", draft.usesMicrophone),
            ]
        // Several schedules are changed over the API; a form of one would lose the others.
        let hasSeveral = draft.schedules.count > 1
        return hasSeveral ? fields.filter { !StudyItemForm.ofSchedule.contains($0.name) } : fields
    }
}

private struct StudyItemForm {
    let filled: FormState
    let texts: Texts

    static let ofSchedule: Set = ["type", "amount", "every", "unit", "start", "end", "at", "start_day"]

    func choice(
        _ name: String, _ label: String, _ first: String, _ values: [(String, String)]
    ) -> FieldView {
        filled.list(name, label: label, first: first, values.map { ($0.0, texts[$0.1]) })
    }

    func check(_ name: String, _ isOn: Bool) -> FieldView {
        filled.box(name, label: "studies.\(name)", isOn: isOn)
    }

    func schedule(_ schedule: Schedule?) -> [FieldView] {
        let wire = schedule?.wire
        let types = [
            ("none", "studies.no_schedule"), ("between", "studies.type_between"),
            ("fixed", "studies.type_fixed"),
        ]
        let units = Schedule.Unit.allCases.map { ($0.rawValue, "studies.unit_\($0.rawValue)") }
        return [
            choice("type", "studies.schedule", wire?.type ?? "none", types),
            number("amount", wire?.amount ?? 1), number("every", wire?.every ?? 1),
            choice("unit", "studies.unit", schedule?.unit.rawValue ?? "day", units),
            time("start", "studies.starts", wire?.start), time("end", "studies.end", wire?.end),
            time("at", "studies.at", wire?.at),
            number("start_day", wire?.startDay ?? 0, hint: "studies.start_day_hint"),
        ]
    }

    private func number(_ name: String, _ first: Int, hint: Message? = nil) -> FieldView {
        filled.field(name, .whole, label: "studies.\(name)", first: String(first), hint: hint)
    }

    private func time(_ name: String, _ label: String, _ first: String?) -> FieldView {
        filled.field(name, .time, label: label, first: first ?? "")
    }
}
