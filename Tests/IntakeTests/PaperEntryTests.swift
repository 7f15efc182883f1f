import HTTP
import JSON
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web

/// What a therapist enters from paper for a patient whose study has drawn the group without the app.
@Suite struct PaperEntryTests {
    let portal: TestPortal
    let desk: StudyDesk
    let study: String

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        let arms = #""arms": ["no_app", "full"]"#
        let body = StudyDesk.groups.replacing(#""arms": ["full", "no_interventions"]"#, with: arms)
        #expect(portal.change(.put, "/studies/\(study)/groups", body, as: .lena).status == 200)
    }

    /// A patient of Ada's, who paired with a code.
    /// - Returns: the path of the therapy.
    func patient(_ person: Person, offered: Bool = true) -> String {
        let body = offered ? #"{"study_id": "\#(study)"}"# : "{}"
        let made = portal.call(.post, "/patients", body, as: .ada)
        let code = made.attributes["pairing_code"]?["code"]?.string ?? ""
        let pairing = #"{"code": "\#(code)", "birth_date": "1990-01-01", "gender": "female"}"#
        #expect(portal.call(.post, "/my/pairing", pairing, as: person).status == 201)
        return "/patients/\(made.id)"
    }

    func enrol(_ person: Person) -> String? {
        desk.enrol(person, in: study).attributes["arm"]?.string
    }

    static let form = [
        ("completed_at", "2026-11-20T10:00"), ("answers.enjoyed", "3"), ("answers.calm", "3"),
        ("answers.energy", "2"), ("answers.slept", "4"), ("answers.company", "3"),
    ]

    /// Of the study, as the list links it.
    func place(_ patient: String) -> String {
        patient + "/contributions/new?questionnaire_key=wellbeing-5&study_id=\(study)"
    }

    func isOffered(_ patient: String) -> Bool {
        portal.get(patient + "/contributions/new", as: .ada).text.contains("study_id=\(study)")
    }

    func call(_ patient: String) -> Response {
        portal.call(
            .post, patient + "/contributions",
            """
            {"questionnaire_key": "wellbeing-5", "study_id": "\(study)", "completed_at": "\(portal.now.text)",
             "answers": \(StudyDesk.wellbeing)}
            """, as: .ada)
    }

    var occasions: [JSON] { (try? desk.export(study, "json"))?["occasions"]?.array ?? [] }

    @Test
    func `FD-48 what the practice enters for somebody without the app is the study's, and its results'`()
        throws
    {
        let nora = patient(.nora)
        #expect(!isOffered(nora))
        #expect(enrol(.nora) == "no_app")
        let choose = portal.get(nora + "/contributions/new", as: .ada).text
        let group = try #require(
            choose.firstMatch(of: /(?s)<h2 id="study">Studie „Stress im Alltag“.*?<\/section>/))
        #expect(group.output.contains("wellbeing-5&amp;study_id=\(study)"))
        // The therapy's own questionnaire of the same name stands apart from it.
        #expect(choose[group.range.upperBound...].contains("questionnaire_key=wellbeing-5\""))
        let path = place(nora)
        #expect(portal.get(path, as: .ada).text.contains("geht an die Studie"))
        #expect(portal.post(path, Array(Self.form.prefix(2)), as: .ada).status == 422)
        let stored = portal.post(path, Self.form, as: .ada)
        #expect(stored.status == 303 && stored.headers["Location"] == nora, "\(stored.text)")
        #expect(occasions.map { $0["is_paper"] } == [.bool(true)])
        let csv = try desk.text(study, "csv")
        #expect(csv.contains(",paper"), "\(csv)")
        let results = portal.call(.get, "/studies/\(study)/results", as: .lena).list.first?["attributes"]
        #expect(results?["people"] == .number(1))
        // Filed, and no more to be read than before: it is not the therapy's.
        #expect(portal.call(.get, nora + "/contributions", as: .ada).list.isEmpty)
        let id = portal.call(.get, "/my/contributions", as: .nora).list.first?["id"]?.string ?? ""
        #expect(!id.isEmpty && portal.get(nora + "/contributions/\(id)", as: .ada).status == 404)
        #expect(portal.post(path, Self.form, as: .ada).status == 409)
    }

    @Test func `FD-48 another group, another offer and a study of one's own are not the therapist's`() {
        let nora = patient(.nora)
        #expect(enrol(.nora) == "no_app")
        // Pia's therapy offers nothing; she came in on her own, into the second place of Ada's site.
        #expect(enrol(.pia) == "full")
        let pia = "/patients/\(portal.cast.therapies[.pia] ?? "")"
        // Quinn is Ben's, in the first place of his row.
        #expect(enrol(.quinn) == "no_app")
        let quinn = "/patients/\(portal.cast.therapies[.quinn] ?? "")"
        #expect(isOffered(nora) && !isOffered(pia))
        #expect(call(pia).status == 422)
        #expect(portal.post(place(pia), Self.form, as: .ada).status == 422)
        #expect(portal.post(place(nora), Self.form, as: .ben).status == 404)
        let ben = portal.get(quinn + "/contributions/new", as: .ben)
        #expect(ben.status == 200 && !ben.text.contains("study_id"))
        #expect(portal.post(place(quinn), Self.form, as: .ben).status == 422)
        #expect(portal.get(place(quinn), as: .ben).status == 422)
        #expect(occasions.isEmpty)
    }

    @Test func `FD-48 a patient of the same offer who was drawn into the group with the app is not entered`()
    {
        // The first place of Ada's site is Pia's.
        #expect(enrol(.pia) == "no_app")
        let nora = patient(.nora)
        #expect(enrol(.nora) == "full")
        #expect(!isOffered(nora) && call(nora).status == 422)
        #expect(portal.get(place(nora), as: .ada).status == 422 && occasions.isEmpty)
    }

    @Test func `FD-48 after leaving, and after a no to research, nothing is entered`() {
        let nora = patient(.nora)
        #expect(enrol(.nora) == "no_app" && isOffered(nora))
        #expect(portal.call(.put, "/my/privacy", #"{"research_consent": false}"#, as: .nora).status == 200)
        #expect(!isOffered(nora) && call(nora).status == 422)
        #expect(portal.call(.put, "/my/privacy", #"{"research_consent": true}"#, as: .nora).status == 200)
        #expect(isOffered(nora))
        #expect(portal.call(.delete, "/studies/\(study)/enrolment", as: .nora).status == 204)
        #expect(!isOffered(nora) && call(nora).status == 422)
        #expect(portal.post(place(nora), Self.form, as: .ada).status == 422 && occasions.isEmpty)
    }

    @Test func `FD-48 who leaves while the sheet is typed in is not entered`() throws {
        let nora = patient(.nora)
        #expect(enrol(.nora) == "no_app")
        let before = try portal.count("contributions")
        let late = portal.interleaving { [portal, study] in
            #expect(portal.call(.delete, "/studies/\(study)/enrolment", as: .nora).status == 204)
        } _: {
            call(nora)
        }
        #expect(late.hasComeToWrite && late.response.status == 422, "\(late.response.text)")
        #expect(try portal.count("contributions") == before)
    }
}
