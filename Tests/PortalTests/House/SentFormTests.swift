import Foundation
import HTTP
import Records
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Web
@testable import Wording

/// FD-10: a form sent as it stands comes to where it belongs.
@Suite struct SentFormTests {
    /// These sign out or change what every later page says; what they do is shown elsewhere.
    private static let leftOut = ["/logout", "/language", "/screen"]

    private static let people: [(Person, [String])] = [
        (.ada, ["/"]), (.ben, ["/"]), (.uma, ["/"]), (.lena, ["/"]), (.pia, ["/my", "/my/more"]),
        (.nora, ["/my", "/my/more"]),
    ]

    /// Two scales with values, so that one is laid beside the other.
    private func addScales(_ portal: TestPortal) throws {
        try portal.publish("wellbeing-5")
        let pia = "/patients/\(portal.cast.therapies[.pia] ?? "")"
        let json =
            #"{"questionnaire_key": "wellbeing-5", "available_from": "2026-11-19T08:00:00Z", "due_at": "2026-11-30T08:00:00Z"}"#
        let assigned = portal.call(.post, pia + "/assignments", json, as: .ada)
        let at = portal.now.adding(seconds: -60).text
        let body =
            #"{"assignment_id": "\#(assigned.id)", "started_at": "\#(at)", "completed_at": "\#(at)", "timezone": "Europe/Vienna", "answers": {"enjoyed": 3, "calm": 3, "energy": 2, "slept": 4, "company": 3}}"#
        let sent = portal.call(
            .put, "/my/contributions/5a1c9a0e-98a5-4a9f-8d3e-000000000302", body, as: .pia)
        #expect(sent.status == 201, "\(sent.text)")
    }

    @Test(arguments: people)
    func `FD-10 every form of every page finds its page, sent as it stands`(
        person: Person, starts: [String]
    ) throws {
        let portal = try TestPortal()
        try addScales(portal)
        let crawl = Crawl(portal, as: person, from: starts, limit: 150)
        for form in crawl.forms where form.method == .get { ask(form, crawl) }
        let sent = crawl.forms.filter { $0.method == .post }.count { send($0, portal, person) }
        #expect(sent > 4, "\(person)")
    }

    /// A list that is narrowed down, or a second scale laid beside one, is asked for where its form stands again.
    private func ask(_ form: Crawl.Form, _ crawl: Crawl) {
        // What goes into a file is chosen first; then it is the file.
        if form.address.hasSuffix("/file") || form.address.hasSuffix("/file/download") { return }
        for fields in choices(of: form, in: crawl.pages[form.page] ?? "") {
            let query = fields.map { "\(percentEncoded($0.0))=\(percentEncoded($0.1))" }
            let address = form.address + "?" + query.joined(separator: "&")
            let answer = crawl.portal.get(address, as: crawl.person)
            #expect([200, 422].contains(answer.status), "\(form.page): \(address) \(answer.status)")
            let isOfTheKind = Crawl.forms(answer.text, on: form.page).contains {
                $0.method == .get && $0.address == form.address
            }
            #expect(isOfTheKind, "\(form.page): \(address) is a page of another kind")
        }
    }

    /// - Returns: whether it was there still: another form may have taken away what it is about.
    private func send(_ form: Crawl.Form, _ portal: TestPortal, _ person: Person) -> Bool {
        let target = Target(form.address).flatMap { try? Routes.all.match(.post, $0.path) }
        // A form with files is sent otherwise.
        if Self.leftOut.contains(form.address) || target?.route.upload != nil { return false }
        let page = portal.get(form.page, as: person)
        let isThere = Crawl.forms(page.text, on: form.page).contains {
            $0.method == .post && $0.address == form.address
        }
        guard page.status == 200, isThere else { return false }
        let answer = portal.post(form.address, form.fields, as: person)
        #expect(
            [200, 303, 409, 410, 412, 422].contains(answer.status),
            "\(person) \(form.page): \(form.address) \(answer.status)")
        return true
    }

    /// The form with each of the choices that its lists offer.
    private func choices(of form: Crawl.Form, in html: String) -> [[(String, String)]] {
        var all = [form.fields]
        for list in html.matches(of: /(?s)<select ([^>]*)>(.*?)<\/select>/) {
            guard let name = list.1.firstMatch(of: /name="([^"]*)"/).map({ String($0.1) }),
                form.fields.contains(where: { $0.0 == name })
            else { continue }
            for option in list.2.matches(of: /<option value="([^"]*)"/) {
                all.append(form.fields.map { $0.0 == name ? (name, Crawl.plain(option.1)) : $0 })
            }
        }
        return all
    }
}
