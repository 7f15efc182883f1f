import Scheduling
import Studies
import Web
import Wire
import Wording

/// The form of a questionnaire of a study: how it is asked, what ends and limits that, and what else is told or chosen.
package struct StudyItemFields: Encodable, Sendable {
    let fields: [FieldView]
    let limits: [FieldView]
    let hasLimits: Bool
    /// Whether they are open: where one is set or wrong.
    let showsLimits: Bool
    let others: [FieldView]
    /// A box for each group; empty without groups.
    let arms: [FieldView]
    let hasArms: Bool

    static let limitNames = [
        "until_days", "until_on", "until_prompts", "burst_days", "burst_repeat_every_days",
        "expires_after_minutes", "minimum_gap_minutes", "repeat_after_minutes",
        "repeat_again_after_minutes", "late_grace_minutes",
    ]
}

extension StudyItemPages {
    /// - Parameter first: what stands before all.
    static func fields(
        _ draft: StudyItemDraft, _ first: [FieldView], _ filled: FormState, _ c: Context<StudyLead>
    ) throws -> StudyItemFields {
        let (groups, words) = try c.read { connection in
            (
                try GroupStore.find(c.proof.study.id, connection)?.groups.arms ?? [],
                try ArmWords(of: c.proof.study.id, in: c.languages, c.texts, connection)
            )
        }
        let arms = groups.map { arm in
            var box = filled.box(
                "arm_\(arm.key.rawValue)", label: "studies.group", isOn: draft.arms.contains(arm.key))
            box.label = words.name(arm.key)
            return box
        }
        let form = StudyItemForm(filled: filled, texts: c.texts)
        // Several schedules are changed over the API; a form of one would lose the others.
        let hasSeveral = draft.schedules.count > 1
        let points = c.proof.study.timePoints
        let point = filled.list(
            "time_point", label: "studies.time_point", first: draft.timePoint ?? "",
            hint: "studies.time_point_choice_hint",
            [("", c.texts["studies.no_time_point"])] + points.map { ($0.key, TimePointPages.title($0, c)) })
        let fields =
            first + (points.isEmpty ? [] : [point]) + [
                form.check("is_active", draft.isActive), form.check("is_onetime", draft.isOnetime),
                form.choice(
                    "event", "studies.event", draft.event?.rawValue ?? "none",
                    [
                        ("none", "studies.event_none"), ("moment", "studies.event_moment"),
                        ("span", "studies.event_span"),
                    ], hint: "studies.event_hint"),
                form.choice(
                    "baseline", "studies.baseline", draft.baseline?.rawValue ?? "none",
                    [
                        ("none", "studies.baseline_none"), ("required", "studies.baseline_required"),
                        ("recommended", "studies.baseline_recommended"),
                    ]),
            ]
        let schedule = hasSeveral ? [] : form.schedule(draft.schedules.first)
        let limits = hasSeveral ? [] : form.limits(draft.schedules.first?.wire)
        return StudyItemFields(
            fields: fields + schedule, limits: limits, hasLimits: !limits.isEmpty,
            showsLimits: limits.contains { !$0.value.isEmpty || $0.error != nil },
            others: [
                form.check("is_schedule_changeable", draft.isScheduleChangeable),
                form.check("allows_overnight", draft.allowsOvernight),
                form.check("gps", draft.usesGPS), form.check("microphone", draft.usesMicrophone),
            ], arms: arms, hasArms: !arms.isEmpty)
    }
}

private struct StudyItemForm {
    let filled: FormState
    let texts: Texts

    func choice(
        _ name: String, _ label: String, _ first: String, _ values: [(String, String)], hint: Message? = nil
    ) -> FieldView {
        filled.list(name, label: label, first: first, hint: hint, values.map { ($0.0, texts[$0.1]) })
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

    /// What ends it, breaks it off, and limits its prompts: nothing unless it is filled in.
    func limits(_ wire: StudySchedule?) -> [FieldView] {
        [
            number("until_days", wire?.until?.days, hint: "studies.until_hint"),
            filled.field(
                "until_on", .date, label: "studies.until_on", first: wire?.until?.on?.text ?? ""),
            number("until_prompts", wire?.until?.prompts),
            number("burst_days", wire?.burst?.days, hint: "studies.burst_hint"),
            number("burst_repeat_every_days", wire?.burst?.repeatEveryDays),
            number("expires_after_minutes", wire?.expiresAfterMinutes, hint: "studies.expires_hint"),
            number("minimum_gap_minutes", wire?.minimumGapMinutes, hint: "studies.gap_hint"),
            number(
                "repeat_after_minutes", wire?.repeatAfterMinutes?.first, hint: "studies.repeat_hint"),
            number("repeat_again_after_minutes", wire?.repeatAfterMinutes?.dropFirst().first),
            number("late_grace_minutes", wire?.lateGraceMinutes, hint: "studies.grace_hint"),
        ]
    }

    private func number(_ name: String, _ first: Int?, hint: Message? = nil) -> FieldView {
        filled.field(
            name, .whole, label: "studies.\(name)", first: first.map { String($0) } ?? "", hint: hint)
    }

    private func time(_ name: String, _ label: String, _ first: String?) -> FieldView {
        filled.field(name, .time, label: label, first: first ?? "")
    }
}
