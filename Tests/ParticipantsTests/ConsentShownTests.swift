import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// An agreement is to the text that was shown, never to one that came since.
@Suite struct ConsentShownTests {
    let portal: TestPortal
    let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
    }

    private func write(_ text: String, in study: String) {
        let change = #"{"consent_text": {"de": "\#(text)"}}"#
        #expect(portal.change(.patch, "/studies/\(study)", change, as: .lena).status == 200)
    }

    private func publishStatement(over version: Int) {
        let form = [
            ("title_de", "Datenschutz neu"), ("text_de", "Ihre Stimme"), ("title_en", "Privacy anew"),
            ("text_en", "Your voice"), ("version", String(version)),
        ]
        #expect(portal.post("/admin/information/privacy", form, as: .uma).status == 303)
    }

    private static func hidden(_ name: String, in page: String) -> String? {
        let fields = page.matches(of: /name="([a-z_]+)" value="([^"]*)"/)
        return fields.first { String($0.1) == name }.map { String($0.2) }
    }

    // MARK: Studies

    @Test(arguments: ["", #"{"access": "request"}"#])
    func `RP-204 a form that showed an older text takes nobody in, and shows the new one`(access: String)
        throws
    {
        let study = desk.begin(access)
        let page = portal.get("/studies/stress-26", as: .nora).text
        let version = try #require(Self.hidden("consent_version", in: page))
        #expect(version == "1")
        write("Ihre Stimme wird aufgenommen.", in: study)
        let form = { (version: String) in
            [("consent_accepted", ""), ("consent_accepted", "true"), ("consent_version", version)]
        }
        let path = "/my/studies/stress-26/enrolment"
        let refused = portal.post(path, form(version), as: .nora)
        #expect(refused.status == 409, "\(refused.status)")
        #expect(refused.text.contains("Ihre Stimme wird aufgenommen."))
        #expect(refused.text.contains("hat sich inzwischen geändert") && !refused.text.contains(" checked"))
        #expect(portal.call(.get, "/studies/\(study)/enrolment", as: .nora).status == 404)
        let next = try #require(Self.hidden("consent_version", in: refused.text))
        #expect(portal.post(path, form(next), as: .nora).status == 303)
        let enrolment = portal.call(.get, "/studies/\(study)/enrolment", as: .nora).attributes
        #expect(enrolment["consent_version"] == .number(2))
    }

    @Test func `RP-204 a call names the version it showed, and gets the present text for another one`() throws
    {
        let study = desk.begin()
        write("Ihre Stimme wird aufgenommen.", in: study)
        let body = { (version: Int) in #"{"consent_accepted": true, "consent_version": \#(version)}"# }
        let refused = desk.enrol(.nora, in: study, body(1))
        #expect(refused.status == 409 && refused.json["code"] == .string("consent_changed"))
        let present = refused.json["data"]
        #expect(present?["id"] == .string(study) && present?["attributes"]?["consent_version"] == .number(2))
        #expect(
            present?["attributes"]?["consent_text"] == .string("Ihre Stimme wird aufgenommen."),
            "\(refused.text)")
        #expect(desk.enrol(.nora, in: study, body(2)).status == 201)
        // Without it, as before.
        #expect(desk.enrol(.quinn, in: study).status == 201)
        #expect(
            desk.enrol(.pia, in: study, #"{"consent_accepted": true, "consent_version": 0}"#).status == 422)
    }

    @Test func `RP-204 a text that is written while somebody agrees is not what they agreed to`() throws {
        let study = desk.begin()
        let body = #"{"consent_accepted": true, "consent_version": 1}"#
        let (answer, _) = portal.interleaving({ write("Ganz neuer Text.", in: study) }) {
            desk.enrol(.nora, in: study, body)
        }
        #expect(answer.status == 409 && answer.json["data"]?["attributes"]?["consent_version"] == .number(2))
        #expect(portal.call(.get, "/studies/\(study)/enrolment", as: .nora).status == 404)
    }

    @Test func `RP-204 agreeing anew to an older text is answered with the present one, too`() {
        let study = desk.begin()
        #expect(desk.enrol(.nora, in: study).status == 201)
        for text in ["Zweiter Text.", "Dritter Text."] { write(text, in: study) }
        let body = #"{"consent_accepted": true, "consent_version": 2}"#
        let refused = portal.call(.post, "/studies/\(study)/enrolment/consent", body, as: .nora)
        #expect(refused.status == 409)
        #expect(refused.json["data"]?["attributes"]?["consent_text"] == .string("Dritter Text."))
    }

    @Test func `RP-204 whether the version was told stands in the list, the log and the own copy`() throws {
        let study = desk.begin()
        let named = #"{"consent_accepted": true, "consent_version": 1}"#
        #expect(desk.enrol(.nora, in: study, named).status == 201)
        #expect(desk.enrol(.quinn, in: study).status == 201)
        let own = { (person: Person) in
            portal.call(.get, "/my/studies/\(study)/consents", as: person).list.first?["attributes"]?[
                "version_told"]
        }
        #expect(own(.nora) == .bool(true) && own(.quinn) == .bool(false))
        let all = portal.call(.get, "/studies/\(study)/consents", as: .lena).list.map {
            $0["attributes"]?["version_told"]
        }
        #expect(Set(all.map { $0 == .bool(true) }) == [true, false] && all.count == 2)
        #expect(portal.get("/studies/\(study)/consents", as: .lena).text.contains("ohne Angabe der Version"))
        let copy = portal.call(.get, "/my/export", as: .quinn).text.replacing(" ", with: "")
        #expect(copy.contains(#""version_told":false"#))
        // Agreeing anew always names it.
        write("Neuer Text.", in: study)
        let anew = #"{"consent_accepted": true, "consent_version": 2}"#
        #expect(portal.call(.post, "/studies/\(study)/enrolment/consent", anew, as: .quinn).status == 200)
        #expect(own(.quinn) == .bool(true))
    }

    // MARK: The privacy statement

    private let password = "vier Wörter ohne Sinn"

    private func registration(_ more: String = "") -> String {
        """
        {"email": "new@example.org", "password": "\(password)", "password_confirmation": "\(password)",
         "privacy_accepted": true\(more)}
        """
    }

    @Test func `RP-204 registering names the statement that was shown`() throws {
        publishStatement(over: 1)
        let refused = portal.call(.post, "/auth/register", registration(#", "privacy_version": 1"#))
        #expect(
            refused.status == 409 && refused.json["code"] == .string("consent_changed"), "\(refused.text)")
        #expect(refused.json["data"]?["attributes"]?["version"] == .number(2))
        #expect(refused.json["data"]?["attributes"]?["title"] == .string("Datenschutz neu"))
        #expect(
            portal.call(.get, "/auth/email-available?email=new@example.org").attributes["available"]
                == .bool(true))
        #expect(portal.call(.post, "/auth/register", registration(#", "privacy_version": 2"#)).status == 201)
        let told = try portal.services.records.read { connection in
            try connection.count(
                "SELECT count(*) FROM consent_choices WHERE text_version = 2 AND version_told = 1")
        }
        #expect(told == 1)
    }

    @Test func `RP-204 registering without the version is told so in the own history`() throws {
        #expect(portal.call(.post, "/auth/register", registration()).status == 201)
        let told: Bool? = try portal.services.records.read { connection in
            try connection.value("SELECT version_told FROM consent_choices ORDER BY id DESC LIMIT 1")
        }
        #expect(told == false)
    }

    @Test func `RP-204 the form of registering is agreed to anew when the statement has changed`() throws {
        let browser = Browser(portal)
        let shown = try #require(Self.hidden("privacy_version", in: browser.get("/register").text))
        publishStatement(over: 1)
        let form = { (version: String) in
            [
                ("email", "new@example.org"), ("password", password), ("password_confirmation", password),
                ("privacy_accepted", ""), ("privacy_accepted", "true"), ("research_consent", ""),
                ("privacy_version", version),
            ]
        }
        let refused = browser.post("/register", form(shown))
        #expect(refused.status == 409 && refused.text.contains("new@example.org"))
        #expect(refused.text.contains("Die Datenschutzerklärung hat sich inzwischen geändert"))
        #expect(!refused.text.contains(" checked"))
        let next = try #require(Self.hidden("privacy_version", in: refused.text))
        #expect(next == "2" && browser.post("/register", form(next)).status == 303)
    }

    @Test func `RP-204 a form that is drawn again for another reason keeps the version it showed`() throws {
        let browser = Browser(portal)
        let shown = try #require(Self.hidden("privacy_version", in: browser.get("/register").text))
        publishStatement(over: 1)
        let again = browser.post(
            "/register", [("email", "falsch"), ("privacy_accepted", "true"), ("privacy_version", shown)])
        #expect(again.status == 422 && Self.hidden("privacy_version", in: again.text) == shown)
    }

    @Test func `RP-204 a yes to research in the browser is to the statement that was shown`() throws {
        _ = portal.call(.put, "/my/privacy", #"{"research_consent": false}"#, as: .pia)
        let path = "/my/settings/privacy"
        let shown = try #require(Self.hidden("privacy_version", in: portal.get(path, as: .pia).text))
        publishStatement(over: 1)
        let isGiven = { portal.call(.get, "/my/privacy", as: .pia).attributes["research_consent"] }
        #expect(portal.post(path, [("privacy_version", shown)], as: .pia).status == 303)
        #expect(isGiven() == .bool(false))
        let page = portal.get(path, as: .pia).text
        #expect(page.contains("hat sich inzwischen geändert"))
        let next = try #require(Self.hidden("privacy_version", in: page))
        #expect(portal.post(path, [("privacy_version", next)], as: .pia).status == 303)
        #expect(isGiven() == .bool(true))
    }
}
