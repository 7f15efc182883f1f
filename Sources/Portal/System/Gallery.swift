import Accounts
import Clinic
import Foundation
import Instruments
import Intake
import Participants
import Protocols
import Responses
import Rules
import Sounds
import Studies
import Templates
import Tinnitus
import WearableLinks
import Wearables
import Web
import Wording

/// Every page of the portal, drawn from its example: for tests, and as files to look at.
package struct Gallery {
    package static let pages: [any Page] = [
        LoginPages.Show.example, PasswordPages.Form.example, VerificationPages.Show.example,
        ProfilePages.Edit.example, SecondFactorPages.Show.example, SecondFactorPages.Codes.example,
        BriefingPages.Show.example, CoverPages.Show.example, ClinicViewPages.Show.example,
        MemberPages.Show.example, SessionPages.Show.example, ComparisonPages.Show.example,
        SignIn.Continue.example,
        ChangePasswordPages.Edit.example, DevicePages.Index.example, OwnFactorPages.Show.example,
        StaffPages.Index.example, StaffPages.Edit.example, InformationPages.Show.example,
        InformationPages.Index.example, InformationPages.Edit.example, EndingPages.Confirm.example,
        AuditLogPages.Index.example, TrailPages.Index.example, AdminHome.Show.example,
        SystemPages.Show.example, PatientIndex.example, PatientPages.New.example, PatientShow.example,
        PairingPages.Show.example, SessionPages.New.example, QuestionnairePages.Index.example,
        QuestionnairePages.Show.example, AssignmentForm.example, EditorPages.New.example,
        EditorPages.Removal.example, EditorShow.example, SectionPages.Edit.example, ScalePages.Edit.example,
        PreviewPages.Show.example, ExchangePages.New.example, ExchangePages.Done.example,
        ExchangePages.Export.example, InstrumentPages.Edit.example, BatteryPages.Index.example,
        BatteryPages.Edit.example, ProtocolPages.Index.example, ProtocolPages.Show.example,
        ProtocolEdit.example, ProtocolRemovalPages.Confirm.example, DeliveryPages.Show.example,
        DeliveryRulePages.New.example,
        AnswersPages.Index.example, QuarantinePages.Index.example, StudyQuarantinePages.Index.example,
        ContributionPages.Show.example,
        LibraryPages.Index.example, LibraryPages.Edit.example, InterventionPages.Index.example,
        InterventionEdit.example, RulePages.Index.example, RulePages.Show.example, RuleEdit.example,
        RuleRemovalPages.Confirm.example, DeliveryRuleStopPages.Confirm.example,
        RetirementPages.Confirm.example,
        AlertPages.Index.example, WeekPages.All.example, AppointmentPages.Index.example,
        PausePages.Index.example, PhoneContactPages.Index.example,
        TherapyFilePages.Choose.example, KeptFilePages.Index.example, TherapyFileSheet.Show.example,
        TimelinePages.Show.example,
        TodayPages.Show.example,
        SystemAPI.Documentation.example, ProblemPage.example, ProblemPage.Inside.example,
        ComponentPage.example, StudyPages.Index.example, StudyPages.Show.example, StudyPages.Edit.example,
        StudyStatePages.Confirm.example, StudyHandOver.Show.example,
        StudyItemPages.Index.example, StudyItemPages.Edit.example, ParticipantPages.Index.example,
        ParticipantPages.Days.example, ResultPages.Show.example, GroupPages.Show.example,
        PaperParticipantPages.New.example, ParticipantPage.Show.example, PaperPage.example,
        PaperEntry.Choose.example, ClinicPages.Edit.example, HandOverPages.Show.example,
        HandOverPages.Prepare.example, ClosingPages.Show.example, WelcomePages.Show.example,
        SearchPages.Show.example, ScaleCoursePages.Show.example,
        SoundUploadPages.New.example, SoundUploadPages.Show.example,
        SoundPages.Index.example, SoundPages.Show.example, SoundCategoryPages.Index.example,
        OpenSoundPages.Index.example, OpenSoundPages.Show.example, OwnSoundPages.Index.example,
        OwnSoundPages.Show.example, OwnListeningPages.Show.example,
        RegistrationPages.New.example, RegistrationPages.Show.example, DeviceCodePages.Show.example,
        DeviceCodePages.Enter.example, DeviceCodePages.Wait.example, OwnPairingPages.New.example,
        OwnPairingPages.Show.example, OwnDayPages.Show.example, OwnDayPages.More.example,
        OwnPracticePages.Index.example, OwnPracticePages.Show.example, OwnWordsPages.Show.example,
        OfflinePages.Show.example, OfflinePages.Whole.example, OwnAppointmentPages.Index.example,
        OwnAppointmentForms.Edit.example, OwnAppointmentForms.Removal.example, CoursePages.Show.example,
        CoursePages.Items.example, OwnContributionPages.Index.example, OwnContributionPages.Show.example,
        OwnTherapistPages.Show.example,
        ProblemPage.Own.example,
        AnswerPages.Show.example, AnswerPages.Review.example, AnswerPages.Closed.example,
        AnswerPages.Sent.example, OwnQuestionnairePages.Index.example, OwnProfilePages.Show.example,
        LinkPages.Start.example, LinkPages.Dead.example, LinkPages.Section.example,
        LinkPages.Review.example, LinkPages.Closed.example, LinkPages.Sent.example,
        LinkPages.Done.example,
        LinkMakingPages.Show.example, LinkMakingPages.Tablet.example,
        OwnSettingsPages.Index.example, OwnPushPages.Show.example, OwnForm.example,
        OwnSecurityPages.Devices.example,
        OwnPrivacyPages.Show.example, OwnErasurePages.Farewell.example, OwnNoticePages.Index.example,
        OwnDataPages.Accesses.example, EntrancePage.Show.example, PublicStudyPages.Visitor.example,
        PublicStudyPages.Own.example,
        OwnStudiesPages.Index.example, OwnTimesPages.Edit.example, FeedbackPages.New.example,
        FeedbackPages.Sent.example, TinnitusPages.Show.example, SharedMatches.Show.example,
        OwnHealthPages.Show.example,
        SharedHealth.Show.example, OwnWearablePages.Show.example, OwnWearablePages.Leave.example,
        OwnWearablePages.Confirm.example, OwnWearablePages.Returned.example,
        FeedbackPages.Index.example,
        InvitationPages.Show.example, ConsentPages.Index.example, OwnConsentPages.Read.example,
        OwnConsentPages.Agreed.example, StudyExportPages.Show.example, StudyExportPages.Progress.example,
    ]

    private let library: Library
    private let installed: InstalledTexts
    private let resources: String

    /// - Parameter resources: where `templates/` and `static/` lie.
    init(resources: String) throws {
        self.resources = resources
        library = try Library(folder: resources + "/templates")
        installed = try InstalledTexts(folder: resources + "/templates/texts")
    }

    /// - Parameters:
    ///   - stylesheet: its address in the page.
    ///   - script: the same of the script.
    func draw(
        _ page: any Page, _ language: Language, stylesheet: String = "/assets/a.css",
        deskStylesheet: String = "/assets/d.css",
        script: String = "/assets/a.js", deskScript: String = "/assets/d.js"
    ) throws -> String {
        let texts = installed.texts(language)
        let frame = Layout(
            clinic: "Ambulanz Lindengasse",
            information: [Layout.Foot(label: texts["frame.privacy"], path: "/info/privacy")],
            crisis: [Layout.Phone(label: texts["crisis.emergency"], number: "112", path: "tel:112")],
            language: language.rawValue,
            otherLanguages: installed.languages.filter { $0 != language }.map { other in
                Layout.Switch(language: other.rawValue, label: installed.texts(other)["frame.language"])
            },
            stylesheet: stylesheet, deskStylesheet: deskStylesheet, script: script,
            navigation: navigation(around: type(of: page).template, texts),
            person: "Ada Lindner", sessionSeconds: "1800", formToken: "token", flash: texts["patients.saved"],
            flashUndo: "/rules/x/return", here: "/",
            desk: Layout.Desk(
                namesAreHidden: false, usesKeys: true, hasPatients: true, deskScript: deskScript))
        let values = try Layout.values(frame, texts) + [ValueEncoder.encode(page)]
        return String(decoding: try library.render(type(of: page).template, with: values), as: UTF8.self)
    }

    /// The navigation with numbers in it, as a therapist who leads studies has it; one entry around pages of patients' own.
    private func navigation(around template: String, _ texts: Texts) -> [Layout.Link] {
        let isOwn =
            template.hasPrefix("my/") || ["shared/problem-own", "accounts/device-code"].contains(template)
        let all = isOwn ? [.my] : NavigationItem.allCases.prefix { $0 != .my }.filter { $0 != .admin }
        return all.map { item in
            Layout.Link(
                label: texts["frame.\(item.rawValue)"], path: item.path, icon: item.icon,
                isCurrent: item == all.first, count: item == .today || item == .alerts ? "12" : nil)
        }
    }

    /// Writes every page in every language, light and dark, with a list of them.
    /// - Returns: how many files.
    /// - Throws: when the folder cannot be written.
    func write(to folder: String) throws -> Int {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let assets = try Assets(folder: resources + "/static")
        try Data(assets.bytes(of: assets.stylesheet)).write(to: URL(fileURLWithPath: folder + "/app.css"))
        try Data(assets.bytes(of: assets.deskStylesheet)).write(
            to: URL(fileURLWithPath: folder + "/desk.css"))
        try Data(assets.bytes(of: assets.script)).write(to: URL(fileURLWithPath: folder + "/app.js"))
        try Data(assets.bytes(of: assets.deskScript)).write(to: URL(fileURLWithPath: folder + "/desk.js"))
        let icons = URL(fileURLWithPath: folder + "/icons")
        try? FileManager.default.removeItem(at: icons)
        try FileManager.default.copyItem(at: URL(fileURLWithPath: resources + "/static/icons"), to: icons)
        var links: [String] = []
        for (number, page) in Self.pages.enumerated() {
            for language in installed.languages {
                let html = try draw(
                    page, language, stylesheet: "app.css", deskStylesheet: "desk.css", script: "app.js",
                    deskScript: "desk.js"
                )
                .replacing("/assets/icons/", with: "icons/")
                for theme in ["light", "dark"] {
                    let template = type(of: page).template.replacing("/", with: "-")
                    let name = "\(template)-\(number).\(language.rawValue).\(theme).html"
                    let themed = html.replacing("<html lang=", with: "<html data-theme=\"\(theme)\" lang=")
                    try Data(themed.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
                    links.append("<li><a href=\"\(name)\">\(name)</a></li>")
                }
            }
        }
        let index =
            "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><title>Gallery</title><ul>"
            + links.joined(separator: "\n") + "</ul></html>\n"
        try Data(index.utf8).write(to: URL(fileURLWithPath: folder + "/index.html"))
        return links.count
    }
}
