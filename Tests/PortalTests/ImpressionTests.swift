import Foundation
import HTTP
import Testing

@testable import Identity
@testable import PortalTesting
@testable import Records
@testable import Web
@testable import Wire

/// The first impression: what strangers, staff and patients are met by.
@Suite struct ImpressionTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    @Test func `impression 1 the first page asks for the code and hands it on`() throws {
        let browser = Browser(portal)
        let page = browser.get("/").text
        #expect(page.contains(#"<form class="entrance__code" action="/pair" method="post""#))
        #expect(page.contains(#"href="/login""#) && page.contains(#"href="/register""#))
        let code = portal.cast.openCode
        let answer = browser.post("/pair", [("action", "keep"), ("code", code)])
        #expect(answer.status == 303 && answer.headers["Location"] == "/login?next=/my/pairing")
        #expect(browser.get("/login").text.contains("Ihr Code ist notiert"))
    }

    @Test func `impression 1 pages before signing in share one sheet, which no page of a patient loads`() {
        let sheet = portal.services.assets.alone("threshold")
        #expect(sheet.hasPrefix("/assets/threshold."))
        for path in ["/", "/login", "/register", "/pair", "/info/help", "/nothing"] {
            #expect(portal.get(path, as: .nobody).text.contains(sheet), "\(path)")
        }
        #expect(!portal.get("/my", as: .pia).text.contains(sheet))
    }

    @Test func `today leads to the first page, whoever asks`() {
        for person: Person in [.nobody, .ada, .lena, .pia] {
            let answer = portal.get("/today", as: person)
            #expect(answer.status == 303 && answer.headers["Location"] == "/")
        }
    }

    @Test func `a page that says what went wrong ends with its button`() {
        for person: Person in [.nobody, .ada, .pia] {
            let page = portal.get("/nothing", as: person)
            #expect(page.status == 404 && page.text.contains("Zur Startseite"))
            #expect(!page.text.contains(">404<"))
        }
    }

    // MARK: Staff on a phone

    @Test func `impression 2 the bar of a phone has each role's four places, and the rest behind More`()
        throws
    {
        #expect(
            frame("/patients", .ada)
                == Frame(
                    bar: ["Heute", "Patienten*", "Termine", "Meldungen", "Mehr"],
                    more: ["Fragebögen", "Interventionen", "Reaktionen", "Profil"]))
        #expect(
            frame("/questionnaires", .lena)
                == Frame(
                    bar: ["Studien", "Fragebögen*", "Geräusche", "Mehr"], more: ["Interventionen", "Profil"]))
        #expect(
            frame("/admin/audit-log", .uma)
                == Frame(bar: ["Klinik", "Verwaltung", "Konten", "Protokoll*", "Mehr"], more: ["Profil"]))
        #expect(
            frame("/admin/system", .uma)
                == Frame(bar: ["Klinik", "Verwaltung*", "Konten", "Protokoll", "Mehr"], more: ["Profil"]))
        try become([.admin], .uma)
        for (path, current) in [
            ("", 0), ("/accounts", 1), ("/accounts/new", 1), ("/audit-log", 2), ("/system", 3),
        ] {
            var bar = ["Übersicht", "Konten", "Protokoll", "System", "Mehr"]
            bar[current] += "*"
            #expect(frame("/admin" + path, .uma) == Frame(bar: bar, more: ["Profil"]), "\(path)")
        }
        #expect(frame("/admin/settings", .uma).bar.first == "Übersicht*")
        // The side bar names one administration, as before, wherever in it the page is.
        #expect(portal.get("/admin/system", as: .uma).text.contains(#"href="/admin" aria-current="page""#))
        try become([.therapist, .lead, .admin, .clinicLead], .uma)
        #expect(frame("/", .uma).bar == ["Heute*", "Studien", "Klinik", "Verwaltung", "Mehr"])
    }

    @Test func `impression 2 More is where the page is, and has the number of what waits behind it`() throws {
        #expect(
            frame("/rules", .ada).bar.last == "Mehr*" && frame("/rules", .ada).more.contains("Reaktionen*"))
        #expect(frame("/profile", .lena).bar.last == "Mehr*")
        var bar = NavigationItem.bar(of: [.therapist])
        #expect(bar == [.today, .patients, .appointments, .alerts])
        for others in [[.lead], [.admin], [.clinicLead], [.lead, .admin], [.admin, .clinicLead]]
            as [Set<Role>]
        {
            bar = NavigationItem.bar(of: others.union([.therapist]))
            #expect(bar.count == 4 && bar.isSuperset(of: [.today, .alerts]), "\(others)")
        }
        #expect(NavigationItem.bar(of: []).isEmpty)
    }

    @Test
    func
        `impression 2 language and signing out are behind More, also beside a paper, and patients have none`()
        throws
    {
        let therapy = try #require(portal.cast.therapies[.pia])
        for path in ["/", "/patients/\(therapy)/file?make=true"] {
            let page = portal.get(path, as: .ada).text
            let more = try #require(
                page.firstMatch(of: /<div class="frame__person" id="more-places" popover>([\s\S]*?)<\/div>/)
            ).1
            #expect(more.contains(#"action="/language""#) && more.contains(#"action="/logout""#))
            #expect(page.matches(of: /action="\/logout"/).count == 1)
            #expect(page.contains(#"popovertarget="more-places""#) && page.contains(#"href="/search""#))
        }
        #expect(!portal.get("/my", as: .pia).text.contains("popover"))
    }

    /// What a phone shows of a frame: the bar and what is behind "More", a star behind what is marked as current.
    private struct Frame: Equatable {
        var bar: [String]
        var more: [String]
    }

    private func frame(_ path: String, _ person: Person) -> Frame {
        let page = portal.get(path, as: person).text
        func places(_ nav: String) -> [String] {
            guard let start = page.range(of: "<nav class=\"\(nav)\""),
                let end = page.range(of: "</nav>", range: start.upperBound..<page.endIndex)
            else { return [] }
            let entries = page[start.upperBound..<end.lowerBound].components(separatedBy: "<li").dropFirst()
            return entries.filter { !$0.hasPrefix(" class=\"navigation__side\"") }.map { entry in
                let short = entry.firstMatch(of: /navigation__short">([^<]*)</)
                let label = short ?? entry.firstMatch(of: /navigation__label">([^<]*)</)
                return (label.map { String($0.1) } ?? "") + (entry.contains("aria-current") ? "*" : "")
            }
        }
        return Frame(bar: places("navigation"), more: places("frame__more"))
    }

    private func become(_ roles: Set<Role>, _ person: Person) throws {
        let account = try #require(portal.cast.accounts[person])
        try portal.services.records.writeUnaudited(.madeUp) {
            try StaffAccountStore.setRoles(roles, of: account, $0)
        }
    }

    // MARK: Figures

    @Test func `impression 5 a figure has its value, range and date in sight, and its formula behind a sign`()
        throws
    {
        let therapy = try #require(portal.cast.therapies[.pia])
        let page = portal.get("/patients/\(therapy)", as: .ada).text
        let figures = page.components(separatedBy: #"<li class="figure">"#).dropFirst()
        // Scales of one questionnaire share a card.
        #expect(!figures.isEmpty && page.matches(of: /<li class="card sheet-card">/).count == 1)
        for figure in figures {
            let parts = figure.components(separatedBy: #"<details class="how">"#)
            try #require(parts.count == 2)
            #expect(parts[0].contains("card__number") && parts[0].contains("card__range"))
            #expect(parts[0].contains(/card__basis">\p{L}{2} \d\d\.\d\d\./))
            #expect(parts[1].contains("So wird gerechnet: ") && parts[1].contains(/<p>[^<]+<\/p><\/details>/))
        }
    }

    // MARK: Type

    @Test func `staff's pages bring Inter below 70 kB, kept for ever under names that change with it`() throws
    {
        let assets = portal.services.assets
        let sheet = String(decoding: assets.bytes(of: assets.deskStylesheet), as: UTF8.self)
        let named = sheet.matches(of: /url\("(\/assets\/fonts\/[^"]+\.woff2)"\)/).map { String($0.1) }
        #expect(named.count == 2 && Set(named) == Set(assets.fonts.values))
        #expect(sheet.matches(of: /font-display: swap/).count == named.count)
        var size = 0
        for address in named {
            let font = portal.get(address, as: .nobody, ["Accept-Encoding": "gzip"])
            #expect(font.status == 200 && font.headers["Content-Type"] == "font/woff2")
            #expect(font.headers["Content-Encoding"] == nil && font.bytes.starts(with: Array("wOF2".utf8)))
            #expect(font.headers["Cache-Control"] == "public, max-age=31536000, immutable")
            let tag = try #require(font.headers["ETag"])
            #expect(portal.get(address, as: .nobody, ["If-None-Match": tag]).status == 304)
            size += font.bytes.count
        }
        #expect(size < 70_000)
        let licence = portal.get("/assets/fonts/OFL.txt", as: .nobody).text
        #expect(licence.contains("SIL OPEN FONT LICENSE") && licence.contains("The Inter Project Authors"))
        #expect(SecurityHeaders.policy.contains("font-src 'self'"))
    }

    @Test func `participants' pages and their worker take the type of the device`() {
        let assets = portal.services.assets
        let sheet = String(decoding: assets.bytes(of: assets.stylesheet), as: UTF8.self)
        #expect(!sheet.contains("Inter") && !sheet.contains("@font-face"))
        #expect(!portal.get("/my", as: .pia).text.contains(assets.deskStylesheet))
        #expect(!portal.get("/my/worker.js", as: .pia).text.contains("woff2"))
    }

    // MARK: Controls

    @Test func `impression 8 frames reach 3:1 and links 4.5:1 on every ground, light and dark`() throws {
        let sheet = try String(contentsOfFile: Cast.root + "/static/css/tokens.css", encoding: .utf8)
        let grounds = ["paper", "card", "soft", "accent-soft", "good-soft", "warn-soft", "danger-soft"]
        for (name, least) in [("edge", 3), ("accent", 4.5), ("mute", 4.5), ("ink", 4.5)] {
            let ink = try lights(name, in: sheet)
            for ground in grounds {
                let paper = try lights(ground, in: sheet)
                for theme in 0...1 {
                    let two = [ink[theme], paper[theme]].sorted()
                    #expect((two[1] + 0.05) / (two[0] + 0.05) >= least, "--\(name) on --\(ground)")
                }
            }
        }
    }

    /// The relative luminance of a token in the light and in the dark theme (WCAG 2.2), from OKLCH over linear sRGB.
    private func lights(_ name: String, in sheet: String) throws -> [Double] {
        let line = try #require(sheet.split(separator: "\n").first { $0.contains("--\(name): light-dark") })
        let numbers = line.matches(of: /oklch\(([0-9.]+)% ([0-9.]+) ([0-9.]+)\)/).compactMap { match in
            [match.1, match.2, match.3].compactMap { Double($0) }
        }
        try #require(numbers.count == 2 && numbers.allSatisfy { $0.count == 3 })
        return numbers.map { colour in
            let turn = colour[2] * .pi / 180
            let (a, b) = (colour[1] * cos(turn), colour[1] * sin(turn))
            let weights = [
                [0.3963377774, 0.2158037573], [-0.1055613458, -0.0638541728], [-0.0894841775, -1.291485548],
            ]
            let cones = weights.map { pow(colour[0] / 100 + $0[0] * a + $0[1] * b, 3) }
            let red = 4.0767416621 * cones[0] - 3.3077115913 * cones[1] + 0.2309699292 * cones[2]
            let green = -1.2684380046 * cones[0] + 2.6097574011 * cones[1] - 0.3413193965 * cones[2]
            let blue = -0.0041960863 * cones[0] - 0.7034186147 * cones[1] + 1.707614701 * cones[2]
            let shown = [red, green, blue].map { min(1, max(0, $0)) }
            return 0.2126 * shown[0] + 0.7152 * shown[1] + 0.0722 * shown[2]
        }
    }

    @Test func `impression 8 each row of the settings says what is set or what is to be found there`() {
        let page = portal.get("/my/settings", as: .pia).text
        let rows = page.matches(of: /<li class="own__row own__setting">.*<\/li>/).map { String($0.0) }
        #expect(rows.count >= 10 && rows.allSatisfy { $0.contains(#"<p class="mute">"#) })
    }
}
