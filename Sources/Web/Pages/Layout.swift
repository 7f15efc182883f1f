import Templates
import Wording

/// The frame that every page of the portal has around its own content.
package struct Layout: Encodable, Sendable {
    /// Another language, to switch to.
    package struct Switch: Encodable, Sendable {
        package let language: String
        package let label: String
    }

    /// An information page, linked at the foot.
    package struct Foot: Encodable, Sendable {
        package let label: String
        package let path: String

        package init(label: String, path: String) {
            self.label = label
            self.path = path
        }
    }

    /// A number to call in a crisis.
    package struct Phone: Encodable, Sendable {
        package let label: String
        package let number: String
        package let path: String

        package init(label: String, number: String, path: String) {
            self.label = label
            self.number = number
            self.path = path
        }
    }

    /// The account a browser keeps data for, and how.
    package struct Own: Encodable, Sendable {
        package let module: String
        /// The others, fetched at once.
        package let imports: [String]
        package let account: String
        /// The time zone of the moments shown.
        package let zone: String
        /// Whether the device is the account's own: then pages and forms are kept on it.
        package let stays: Bool

        package init(module: String, imports: [String], account: String, zone: String, stays: Bool) {
            self.module = module
            self.imports = imports
            self.account = account
            self.zone = zone
            self.stays = stays
        }
    }

    /// The patient of the open file (PR-7).
    package struct PatientBar: Encodable, Sendable {
        /// Another patient of the same day.
        package struct Neighbour: Encodable, Sendable {
            package let name: String
            package let path: String

            package init(name: String, path: String) { (self.name, self.path) = (name, path) }
        }

        package let path: String
        package let codename: String
        package let alias: String?
        /// The next session: `12. Sitzung`, and when.
        package let session: Fact?
        /// The length of the pause; nil while there is none.
        package let pause: String?
        /// The number of open alerts; nil for none.
        package let alerts: String?
        package let alertsPath: String
        package let previous: Neighbour?
        package let following: Neighbour?

        package init(
            path: String, codename: String, alias: String?, session: Fact?, pause: String?, alerts: String?,
            alertsPath: String,
            previous: Neighbour?, following: Neighbour?
        ) {
            self.path = path
            self.codename = codename
            self.alias = alias
            self.session = session
            self.pause = pause
            self.alerts = alerts
            self.alertsPath = alertsPath
            self.previous = previous
            self.following = following
        }
    }

    /// A staff account's preferences for its pages.
    package struct Desk: Encodable, Sendable {
        package let namesAreHidden: Bool
        package let usesKeys: Bool
        package let hasPatients: Bool
        /// The script of staff pages.
        package let deskScript: String

        package init(namesAreHidden: Bool, usesKeys: Bool, hasPatients: Bool, deskScript: String) {
            self.namesAreHidden = namesAreHidden
            self.usesKeys = usesKeys
            self.hasPatients = hasPatients
            self.deskScript = deskScript
        }
    }

    /// The clinic's name; nil while none is set.
    package var clinic: String?
    package var information: [Foot]
    package var crisis: [Phone]
    package var language: String
    package var otherLanguages: [Switch]
    package var stylesheet: String
    /// The additional style sheet of staff pages.
    package var deskStylesheet: String
    /// The additional style sheet of pages that are open to everybody.
    package var thresholdStylesheet: String
    /// The additional style sheet and module of pages on which questionnaires are answered.
    package var answerStylesheet: String
    package var answerScript: String
    package var script: String
    package var navigation: [Link]
    /// Nil for all but staff.
    package var more: More?
    /// Nil on pages without a signed-in account.
    package var person: String?
    /// Seconds until the session ends without another request; nil without a signed-in account.
    package var sessionSeconds: String?
    package var formToken: String
    /// What the browser of a patient or participant keeps; nil for all others.
    package var ownDevice: Own?
    package var flash: String?
    /// The action of the undo button beside the flash; nil where there is no undo.
    package var flashUndo: String?
    /// What another form from the same page has done; nil nearly always.
    package var sentBefore: SentBefore.View?
    /// Whether the page shows a form again beside what was changed meanwhile.
    package var isChangedMeanwhile = false
    /// Why what the form asks for cannot be done; nil nearly always.
    package var refusal: String?
    /// The path of this page, to come back to after switching the language.
    package var here: String
    /// Nil on pages that are about no patient.
    package var patientBar: PatientBar?
    /// Nil for all but staff.
    package var desk: Desk?
    /// The ticket of what the page's form carries, for the switch of languages.
    package var carried: String?

    package init(
        clinic: String? = nil, information: [Foot], crisis: [Phone], language: String,
        otherLanguages: [Switch],
        stylesheet: String, deskStylesheet: String, thresholdStylesheet: String,
        answerStylesheet: String, answerScript: String, script: String,
        navigation: [Link], more: More? = nil, person: String? = nil,
        sessionSeconds: String? = nil, formToken: String, ownDevice: Own? = nil, flash: String? = nil,
        flashUndo: String? = nil, here: String, patientBar: PatientBar? = nil, desk: Desk? = nil,
        carried: String? = nil
    ) {
        self.clinic = clinic
        self.information = information
        self.crisis = crisis
        self.language = language
        self.otherLanguages = otherLanguages
        self.stylesheet = stylesheet
        self.deskStylesheet = deskStylesheet
        self.thresholdStylesheet = thresholdStylesheet
        self.answerStylesheet = answerStylesheet
        self.answerScript = answerScript
        self.script = script
        self.navigation = navigation
        self.more = more
        self.person = person
        self.sessionSeconds = sessionSeconds
        self.formToken = formToken
        self.ownDevice = ownDevice
        self.flash = flash
        self.flashUndo = flashUndo
        self.here = here
        self.patientBar = patientBar
        self.desk = desk
        self.carried = carried
    }

    package static func values(_ frame: Layout, _ texts: Texts) throws -> [Value] {
        [.record(Record([("t", texts.record)])), try ValueEncoder.encode(frame)]
    }
}
