/// The files that this program comes with and cannot do without, below the folder of `--resources`. A folder may hold more of them:
/// other languages.
enum ShippedFiles {
    static let paths = read(list)

    /// A folder with a colon, and the names in it.
    private static func read(_ list: String) -> [String] {
        var folder = ""
        return list.split(whereSeparator: \.isWhitespace).compactMap { word in
            if word.hasSuffix(":") {
                folder = String(word.dropLast())
                return nil
            }
            return "\(folder)/\(word)"
        }
    }

    /// A house test holds it against the checkout.
    private static let list = """
        static/css/alone:
          agreed.css answer.css health.css sounds.css threshold.css
        static/css:
          base.css layout.css print.css reset.css tokens.css utilities.css
        static/css/components:
          button.css form.css navigation.css pick.css surface.css table.css
        static/css/desk:
          bar.css blank.css briefing.css components.css editor.css file.css guide.css letter.css paper.css patient.css
          person.css risk.css rules.css scale.css study.css timeline.css today.css type.css unseen.css week.css
        static/css/pages:
          month.css own-answer.css own-course.css own-offline.css own-settings.css own.css phone.css
          questionnaire.css studies.css timeline.css
        static/fonts:
          OFL.txt inter-400.woff2 inter-600.woff2
        static/help:
          admin.de.png admin.en.png study.de.png study.en.png timeline.de.png timeline.en.png today.de.png today.en.png
        static/icons:
          app-180.png app-192.png app-512.png icons.svg mark.svg
        static/js:
          awaits.js device.js focus.js occasion.js pair.js phone.js print.js readout.js sensors.js session.js size.js
          swap.js which.js
        static/js/desk:
          keys.js others.js preview.js reaction.js unsaved.js upload.js week.js
        static:
          openapi.json
        static/own:
          absent.js calls.js code.js decoded.js device.js draft.js events.js form.js heard-left.js heard.js here.js
          install.js kept.js listened.js lockscreen.js loudness.js main.js matching.js moving.js notices.js
          number.js offered.js outbox.js pages.js plan.js player.js playing.js practice.js pressed.js push.js qr.js
          remembered.js reminders.js run.js screens.js sealing.js shown.js signout.js sleeping.js state.js store.js
          streamed.js subscription.js tones.js vault.js verdict.js waiting.js words.js worker.js zone.js
        templates/accounts:
          _factor-set-up.html change-email.html change-password.html confirmation.html continue.html device-code.html
          devices.html email-return.html login-device.html login-waiting.html login.html own-factor.html password.html
          profile.html recovery-codes.html register.html second-factor.html verify-email.html
        templates/admin:
          account.html accounts.html audit-log.html closure.html feedback.html hand-over.html index.html
          information-page.html information.html settings.html studies.html system.html
        templates/alerts:
          index.html seen.html
        templates/appointments:
          _month.html _row.html _week.html index.html new-session.html patient.html
        templates/batteries:
          edit.html index.html
        templates/clinic:
          _row.html cover.html show.html
        templates/contacts:
          index.html
        templates/contributions:
          _held.html choose-paper.html index.html paper.html quarantine.html show.html
        templates/deliveries:
          _pick.html assign.html new-rule.html show.html
        templates/emergency:
          edit.html opening.html
        templates/file:
          _front.html _part.html _table.html choose.html kept.html show.html
        templates/health:
          _view.html shared.html
        templates/help:
          admin.de.md admin.en.md lead.de.md lead.en.md show.html therapist.de.md therapist.en.md
        templates/information:
          about.de.md about.en.md contact.de.md contact.en.md help.de.md help.en.md imprint.de.md
          imprint.en.md licences.de.md licences.en.md privacy.de.md privacy.en.md processes.de.md
          processes.en.md project.de.md project.en.md show.html
        templates/instruments:
          between-sessions.json intersession-daily.json strain-week.json tinnitus-hearing.json
          tinnitus-history.json tinnitus-moment.json tinnitus-person.json tinnitus-profile.json
          wellbeing-5.json
        templates/interventions:
          edit.html give.html index.html patient.html
        templates/layouts:
          document.html link.html participant.html portal.html signed-out.html
        templates/letters:
          _course.html edit.html gp.de.md gp.en.md index.html insurer.de.md insurer.en.md referral.de.md
          referral.en.md show.html
        templates/my:
          _about-study.html _answer-closed.html _answer-review.html _answer-sent.html _answer.html _call.html
          _course.html _crisis.html _events.html _here.html _intervention.html _matches.html _month.html
          _pressed.html _receipt.html _sign-out.html _state.html
          access-log.html answer-closed.html answer-review.html answer-sent.html answer.html
          appointment-removal.html appointment.html appointments.html consent-paper.html consent.html consents.html
          contribution.html contributions.html devices.html entrance.html farewell.html feedback-sent.html
          feedback.html form.html health.html intervention.html interventions.html more.html notices.html
          offline-form.html offline.html pair.html pairing.html privacy.html profile.html push.html
          questionnaires.html receipt-look.html receipt.html results-items.html results.html settings.html
          sound-statistics.html sound.html
          sounds.html studies.html study-visitor.html study.html therapist.html times.html tinnitus.html
          today.html wearable-confirm.html wearable-leave.html wearables.html words.html
        templates/pairing:
          sheet.html
        templates/patients:
          ending.html hand-over.html handed-over.html index.html new.html show.html trail.html
        templates/pauses:
          index.html
        templates/protocols:
          _follow.html _planned.html edit.html index.html removal.html show.html
        templates/q:
          closed.html dead.html done.html link.html review.html section.html sent.html start.html tablet.html
        templates/questionnaires:
          _entry.html _import-asked.html _options.html _pair.html _phone-form.html _phone.html _question.html _stale.html blank.html editor.html
          export.html import.html imported.html index.html instrument.html new.html preview.html removal.html
          scale.html section.html show.html
        templates/rules:
          _condition.html _run.html edit.html index.html show.html
        templates/scales:
          show.html
        templates/search:
          _keys.html show.html
        templates/sessions:
          _done.html show.html time.html
        templates/shared:
          _briefing.html _change.html _charts.html _consent-paper.html _course.html _crisis.html _empty.html _errors.html _field.html _flash.html
          _language-switch.html _menu.html _name.html _navigation.html _numbers.html _opening.html _patient-alerts.html
          _patient-bar.html _patient-day.html _patient-head.html _patient-now.html _place.html _problem.html _readings.html
          _refused.html _resting.html _risk.html _row.html _session.html _stale.html _state.html _switcher.html _unseen.html _ways.html
          confirm.html problem-inside.html problem-own.html problem.html
        templates/sharing:
          _absence.html _standings.html covers.html members.html
        templates/sounds:
          _entry.html _library.html _measured.html _player.html categories.html index.html listen-sound.html
          listen.html new.html show.html upload.html
        templates/starter:
          practice.json
        templates/studies:
          _asking.html _effect.html _flow.html _head.html _overview.html _plan-faults.html _plan-file.html allocations.html compliance.html
          confirm.html consent-paper.html consents.html edit.html export-progress.html export.html groups.html index.html invitations.html masked.html
          masked-participant.html masked-participants.html participant-new.html participant.html
          participants.html plan-new.html plan.html quarantine.html questionnaire.html questionnaires.html results.html show.html
          time-point.html unmasking.html unmaskings.html waiting.html
        templates/system:
          api.html components.html
        templates/texts:
          de-AT.json de.json en.json
        templates/timeline:
          _briefing-body.html _entry.html _moved.html briefing.html comparison.html show.html
        templates/tinnitus:
          shared.html
        templates/today:
          _hand-over.html _lines.html _news.html _opening.html _result.html _stand-in.html _visit.html
          show.html
        templates/wearables:
          returned.html
        templates/welcome:
          show.html
        """
}
