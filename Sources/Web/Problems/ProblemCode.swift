import Wording

/// The word beside an error's sentence that clients decide by: stable, never translated, kept forever once released.
///
/// Each sentence has one word. Sentences that mean the same to a client share a line.
package enum ProblemCode {
    /// The code of every defect: nothing else of it is disclosed.
    static let defect = "defect"

    private static let table: [(code: String, sentences: [String])] = [
        // Of any call.
        ("sign_in_required", ["problems.sign_in_required"]),
        ("wrong_credentials", ["problems.wrong_credentials"]),
        ("forbidden", ["problems.forbidden"]),
        ("foreign_form", ["problems.foreign_form"]),
        ("sent_before", ["forms.sent_already", "forms.sent_otherwise"]),
        ("not_paired", ["problems.not_paired"]),
        ("not_verified", ["problems.not_verified"]),
        ("not_found", ["problems.not_found", "problems.api_not_found"]),
        ("method_not_allowed", ["problems.method_not_allowed"]),
        ("malformed", ["problems.malformed"]),
        ("no_json", ["problems.no_json"]),
        ("no_object", ["problems.no_object"]),
        ("duplicate_key", ["problems.duplicate_key"]),
        (
            "changed_meanwhile",
            ["problems.changed_meanwhile", "handover.changed_meanwhile", "appointments.noted_changed"]
        ),
        ("unsupported_media_type", ["problems.unsupported_media_type"]),
        ("too_large", ["problems.too_large"]),
        ("beyond_the_end", ["problems.beyond_the_end"]),
        ("stale", ["problems.precondition_failed"]),
        ("undone", ["undo.done_already"]),
        ("undo_too_late", ["undo.too_late", "assignments.return_late"]),
        ("not_withdrawn", ["assignments.not_withdrawn", "interventions.not_withdrawn"]),
        ("match_required", ["problems.precondition_required"]),
        ("invalid", ["problems.invalid"]),
        ("too_many_requests", ["problems.too_many_requests"]),
        ("quota", ["problems.quota"]),
        ("unavailable", ["problems.unavailable"]),
        (defect, ["problems.defect"]),
        // Accounts.
        ("already_verified", ["registration.already_verified"]),
        (
            "link_dead",
            ["registration.link_dead", "password.link_dead", "link.dead_ended", "link.dead_handed_back"]
        ),
        ("email_taken", ["errors.email_taken", "email_change.taken", "registration.taken"]),
        ("wrong_password", ["password.wrong"]),
        ("second_factor_missing", ["factor.missing"]),
        ("second_factor_wrong", ["factor.wrong"]),
        ("second_factor_exhausted", ["factor.exhausted"]),
        ("second_factor_needed", ["factor.set_up_first"]),
        ("second_factor_there", ["factor.set_up_already"]),
        ("password_chosen", ["staff.not_invited"]),
        ("own_account", ["staff.own_account"]),
        ("therapies_first", ["staff.therapies_first"]),
        ("last_lead", ["staff.only_lead", "staff.only_masked", "studies.last_lead"]),
        ("last_administrator", ["staff.last_administrator"]),
        ("too_many_entries", ["audit.too_many"]),
        ("backup_running", ["system.backup_running"]),
        ("page_taken", ["information.taken"]),
        ("page_shipped", ["information.shipped"]),
        // Therapies.
        ("code_unknown", ["pairing.code_unknown"]),
        ("code_used", ["pairing.code_used", "studies.code_used"]),
        ("code_replaced", ["pairing.code_replaced"]),
        ("code_expired", ["pairing.code_expired"]),
        ("already_paired", ["pairing.already_paired", "pairing.patient_paired"]),
        ("patient_not_paired", ["ending.not_paired"]),
        ("assignment_over", ["link.closed"]),
        ("therapy_ended", ["problems.therapy_ended", "assignments.therapy_ended", "ending.ended_already"]),
        ("codename_taken", ["errors.codename_taken"]),
        ("appointment_deleted", ["appointments.deleted"]),
        ("session_in_use", ["sessions.in_use"]),
        ("session_is_appointment", ["sessions.is_appointment", "sessions.appointment_stays"]),
        ("session_moved", ["sessions.moved_meanwhile"]),
        ("other_therapy", ["appointments.other_therapy"]),
        ("rule_exists", ["delivery.exists"]),
        ("battery_used", ["batteries.used"]),
        ("intervention_withdrawn", ["interventions.withdrawn"]),
        ("intervention_opened", ["interventions.opened_already"]),
        ("not_yours", ["interventions.not_yours", "protocols.not_yours"]),
        ("not_waiting", ["protocols.not_waiting"]),
        ("control_group", ["interventions.control_group"]),
        ("already_reported", ["interventions.reported", "delivery.reported"]),
        ("already_decided", ["quarantine.decided", "studies.decided"]),
        ("no_longer_kept", ["quarantine.gone", "rules.gone", "delivery.gone"]),
        (
            "not_removed",
            [
                "quarantine.not_discarded", "rules.not_removed", "delivery.not_stopped", "undo.not_removed",
            ]
        ),
        ("unreadable_sheet", ["quarantine.unreadable"]),
        ("no_version", ["quarantine.no_version"]),
        ("not_begun", ["quarantine.not_begun"]),
        ("other_questions", ["quarantine.other_questions"]),
        ("already_entered", ["contributions.paper_twice"]),
        // Tinnitus.
        ("profile_without_link", ["link.profile"]),
        ("too_many_runs", ["tinnitus.too_many"]),
        ("already_heard", ["sound_library.heard"]),
        // Wearables.
        ("older_day", ["health.older"]),
        ("too_many_records", ["health.too_many_records"]),
        ("deleted_entry", ["health.deleted"]),
        ("provider_not_set_up", ["wearables.not_set_up"]),
        ("unknown_state", ["wearables.state_unknown"]),
        ("nothing_to_confirm", ["wearables.nothing_to_confirm"]),
        ("not_linked", ["wearables.not_linked"]),
        ("nothing_granted", ["wearables.nothing_granted"]),
        // Answers.
        ("already_answered", ["answers.already_answered", "assignments.answered"]),
        ("other_content", ["answers.changed", "listening.changed"]),
        ("assignment_withdrawn", ["answers.withdrawn"]),
        ("inactive", ["answers.inactive"]),
        ("closed", ["offline.closed"]),
        ("not_own_device", ["offline.not_own_device"]),
        ("daily_limit", ["answers.daily_limit"]),
        ("too_early", ["answers.too_early", "studies.window_not_begun"]),
        ("too_late", ["answers.too_late", "answers.arrived_late", "studies.event_after_days"]),
        ("in_future", ["errors.future"]),
        ("unanswered", ["answers.required"]),
        ("not_offered", ["answers.not_offered"]),
        ("unknown_version", ["answers.unknown_version"]),
        ("not_enrolled", ["answers.not_enrolled"]),
        // Studies.
        ("allocation_closed", ["studies.allocation_closed"]),
        ("already_enrolled", ["studies.enrolled_already"]),
        ("asked_lately", ["studies.asked_lately"]),
        ("asked_often", ["studies.asked_often"]),
        ("baseline_first", ["studies.baseline_first"]),
        ("not_allocated", ["studies.not_allocated", "studies.person_waits", "studies.unmask_none"]),
        ("not_in_arm", ["studies.not_in_arm"]),
        ("baseline_awaited", ["studies.baseline_awaited", "studies.baseline_allocates"]),
        ("before_enrolment", ["studies.before_enrolment", "studies.event_before_enrolment"]),
        ("consent_changed", ["studies.consent_changed", "registration.privacy_changed"]),
        ("consent_given", ["studies.consent_given"]),
        ("consent_line_missing", ["studies.consent_line_missing"]),
        ("consent_required", ["studies.consent_required"]),
        ("ended", ["studies.ended"]),
        ("export_changed", ["studies.export_changed"]),
        ("export_gone", ["studies.export_gone"]),
        ("groups_fixed", ["studies.groups_fixed"]),
        ("lead_known", ["studies.lead_known", "studies.lead_masked"]),
        ("masked", ["studies.masked", "studies.export_masked_needed"]),
        ("export_not_masked", ["studies.export_not_masked"]),
        ("reason_short", ["studies.unmask_reason_short"]),
        ("has_account", ["studies.has_account", "ending.has_account"]),
        ("in_other_group", ["studies.in_other_group"]),
        ("left_study", ["studies.left"]),
        ("no_paper_group", ["studies.no_paper_group", "studies.no_paper_baseline"]),
        ("not_in_study", ["studies.not_in_study"]),
        ("not_ready", ["studies.not_ready"]),
        ("not_running", ["studies.not_running"]),
        ("on_paper", ["studies.on_paper"]),
        ("item_needed", ["studies.item_needed"]),
        (
            "named_by_outcome",
            [
                "studies.is_outcome", "studies.is_therapy_outcome", "studies.begin_fixed",
                "studies.value_fixed",
            ]
        ),
        (
            "questionnaire_answered",
            [
                "studies.is_answered", "studies.time_point_fixed", "studies.event_fixed",
                "studies.has_events", "studies.item_arms_fixed", "studies.arm_asked",
            ]
        ),
        ("arm_in_use", ["studies.arm_acted"]),
        ("no_event", ["studies.no_event"]),
        ("other_event", ["studies.event_of_other"]),
        ("unknown_event", ["answers.unknown_event"]),
        ("event_answered", ["studies.event_answered"]),
        ("anchor_used", ["studies.anchor_used"]),
        ("anchor_not_entered", ["studies.anchor_not_entered"]),
        ("in_use", ["questionnaires.is_used"]),
        ("another_form", ["exchange.another_form"]),
        ("questionnaire_there", ["studies.has_questionnaire"]),
        ("sample_complete", ["studies.complete"]),
        ("sheets_a_day", ["studies.sheets_a_day", "studies.events_a_day"]),
        ("study_used", ["studies.has_data"]),
        ("times_fixed", ["studies.times_are_fixed"]),
        ("was_not_running", ["studies.was_not_running"]),
        ("wrong_study_password", ["studies.wrong_password"]),
    ]

    /// Every code there is, as the OpenAPI document lists them.
    package static let all = table.map(\.code).sorted()
    /// Every sentence with a code, in the order of the table.
    static let sentences = table.flatMap(\.sentences)

    private static let codes: [String: String] = table.reduce(into: [:]) { codes, line in
        for sentence in line.sentences { codes[sentence] = line.code }
    }

    /// The code of a sentence; nil where it has none.
    package static func of(_ sentence: String) -> String? { codes[sentence] }

    /// The code of a problem. Wrong fields are `invalid`, unless all of them break the same rule and that rule has a
    /// code: a sheet that comes too late is `too_late`.
    package static func of(_ problem: Problem) -> String {
        let general = of(problem.message.key) ?? "invalid"
        guard case .invalid(let errors) = problem, let first = errors.list.first?.message.key else {
            return general
        }
        return errors.list.allSatisfy { of($0.message.key) == of(first) } ? of(first) ?? general : general
    }
}
