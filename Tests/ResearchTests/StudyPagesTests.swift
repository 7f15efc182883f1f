import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting

/// The pages of study leads.
@Suite struct StudyPagesTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }
    var study: String { portal.cast.study }

    @Test func `a study from the form to the first participant`() throws {
        let made = portal.post(
            "/studies/new",
            [
                ("name", "neu-1"), ("title_de", "Neue Studie"), ("consent_text_de", "Ich nehme teil."),
                ("access", "open"), ("starts_at", ""), ("ends_at", ""),
            ], as: .lena)
        #expect(made.status == 303, "\(made.text)")
        let path = (made.headers["Location"] ?? "").replacing("/questionnaires", with: "")
        #expect(portal.get(path, as: .lena).text.contains("Neue Studie"))
        // Not without a questionnaire.
        let start = [("action", "start"), portal.revision(on: path, as: .lena)]
        _ = portal.post(path + "/state", start, as: .lena)
        #expect(portal.get(path, as: .lena).text.contains("mindestens einen Fragebogen"))
        let added = portal.post(
            path + "/questionnaires",
            [
                ("questionnaire_key", "between-sessions"), ("is_active", "true"), ("baseline", "none"),
                ("type", "between"), ("amount", "3"), ("every", "1"), ("unit", "day"), ("start", "09:00"),
                ("end", "21:00"), ("at", ""), ("start_day", "0"),
            ], as: .lena)
        #expect(added.status == 303, "\(added.text)")
        let item = portal.get(added.headers["Location"] ?? "", as: .lena).text
        #expect(item.matches(of: /<dt>/).count >= 25)
        #expect(
            portal.get(path + "/questionnaires", as: .lena).text.contains(
                "3× zwischen 09:00 und 21:00, jeden Tag"))
        _ = portal.post(path + "/state", start, as: .lena)
        let id = String(path.dropFirst("/studies/".count))
        #expect(
            portal.call(.post, "/studies/\(id)/enrolment", #"{"consent_accepted": true}"#, as: .quinn).status
                == 201)
        #expect(portal.get(path + "/participants", as: .lena).text.contains("nimmt teil"))
    }

    @Test func `a form with mistakes comes back as it was typed`() {
        let wrong = portal.post(
            "/studies/new",
            [
                ("name", "Mit Leerzeichen"), ("title_de", ""), ("description_de", "Bleibt stehen."),
                ("access", "password"), ("starts_at", "2026-12-01T00:00"), ("ends_at", "2026-11-01T00:00"),
            ], as: .lena)
        #expect(
            wrong.status == 422 && wrong.text.contains("Bleibt stehen.")
                && wrong.text.contains("Mit Leerzeichen"))
        for field in ["name", "title_de", "password", "ends_at"] {
            #expect(wrong.text.contains("<a href=\"#\(field)\">"), "\(field)")
        }
    }

    @Test func `a request is accepted on the page, a stranger's codename is not found`() {
        let path = "/studies/\(study)/participants"
        #expect(portal.get(path, as: .lena).text.contains("hat angefragt"))
        #expect(portal.post(path + "/S123456/decision", [("action", "accept")], as: .lena).status == 303)
        #expect(portal.get(path, as: .lena).text.contains("nimmt teil"))
        #expect(portal.post(path + "/S999999/decision", [("action", "accept")], as: .lena).status == 404)
    }

    @Test func `a copy has the questionnaires and nobody in it`() {
        let copy = portal.post("/studies/\(study)/copy", as: .lena)
        let path = (copy.headers["Location"] ?? "").replacing("/edit", with: "")
        #expect(copy.status == 303)
        #expect(portal.get(path + "/questionnaires", as: .lena).text.contains("between-sessions"))
        #expect(portal.get(path + "/participants", as: .lena).text.contains("Noch nimmt niemand teil"))
    }

    @Test func `another lead is taken in by their address, others are not`() {
        let path = "/studies/\(study)/leads"
        #expect(portal.post(path, [("email", "ada@example.org")], as: .lena).status == 422)
        #expect(portal.post(path, [("email", "lena@example.org")], as: .lena).status == 303)
    }

    @Test func `the days show answered of prompted, and the results means over persons`()
        throws
    {
        for end in ["/compliance", "/compliance?until=2026-11-10", "/results", "/export"] {
            #expect(portal.get("/studies/\(study)\(end)", as: .lena).status == 200, "\(end)")
        }
    }

    @Test func `ST-2 limits without a schedule are refused at their fields`() {
        let path = "/studies/\(study)/questionnaires/\(portal.cast.studyItem)"
        let limits = [("until_days", "30"), ("burst_days", ""), ("expires_after_minutes", "60")]
        let form = [("baseline", "none"), ("type", "none"), portal.revision(on: path, as: .lena)]
        let refused = portal.post(path, form + limits, as: .lena)
        #expect(refused.status == 422 && refused.text.contains("Ohne Zeitplan gilt das nicht."))
        for field in ["until_days", "expires_after_minutes"] {
            #expect(refused.text.contains("<a href=\"#\(field)\">"), "\(field)")
        }
        #expect(!refused.text.contains("<a href=\"#burst_days\">"))
        #expect(portal.post(path, form + [("until_days", "")], as: .lena).status == 303)
    }

    @Test func `a box that is not ticked says no, and several schedules outlive the form`() {
        let path = "/studies/\(study)/questionnaires/\(portal.cast.studyItem)"
        let plan = { (at: String) in
            #"{"type": "fixed", "at": "\#(at)", "amount": 1, "every": 1, "unit": "day", "start_day": 0}"#
        }
        let two = #"{"schedules": [\#(plan("08:00")), \#(plan("20:00"))]}"#
        #expect(portal.change(.patch, path, two, as: .lena).status == 200)
        let form = [("baseline", "none"), ("is_active", ""), portal.revision(on: path, as: .lena)]
        #expect(portal.post(path, form, as: .lena).status == 303)
        let item = portal.call(.get, "/studies/\(study)/questionnaires", as: .lena).list.first?["attributes"]
        #expect(item?["is_active"] == .bool(false) && item?["schedules"]?.array?.count == 2)
    }
}
