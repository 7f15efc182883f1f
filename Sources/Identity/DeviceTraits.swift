import Database
import Wire

/// What tells a person's devices apart, in coarse words (FD-18): made of the header that browsers send, of which neither versions nor
/// the text itself are kept.
package struct DeviceTraits: Sendable, Equatable {
    package enum Browser: String, Sendable, CaseIterable, SQLConvertible {
        case firefox, chrome, safari, edge, opera, samsung

        /// As its maker writes it, in every language.
        package var name: String {
            switch self {
            case .firefox: "Firefox"
            case .chrome: "Chrome"
            case .safari: "Safari"
            case .edge: "Edge"
            case .opera: "Opera"
            case .samsung: "Samsung Internet"
            }
        }

        /// Most name others, too, whose pages they want to be given: those come last.
        fileprivate static let marks: [(text: String, browser: Browser)] = [
            ("SamsungBrowser/", .samsung), ("OPR/", .opera), ("Edg", .edge), ("Firefox/", .firefox),
            ("FxiOS/", .firefox), ("CriOS/", .chrome), ("Chrome/", .chrome), ("Safari/", .safari),
        ]
    }

    package enum System: String, Sendable, CaseIterable, SQLConvertible {
        case android, ios, windows, macos, chromeos, linux

        package var name: String {
            switch self {
            case .android: "Android"
            case .ios: "iOS"
            case .windows: "Windows"
            case .macos: "macOS"
            case .chromeos: "ChromeOS"
            case .linux: "Linux"
            }
        }

        /// Android names Linux, too.
        fileprivate static let marks: [(text: String, system: System)] = [
            ("Android", .android), ("iPhone", .ios), ("iPad", .ios), ("iPod", .ios), ("Windows", .windows),
            ("Macintosh", .macos), ("CrOS", .chromeos), ("Linux", .linux), ("X11", .linux),
        ]
    }

    package let browser: Browser?
    package let system: System?
    /// Whether own pages were begun from the home screen, where they are installed.
    package let isInstalled: Bool

    package init(browser: Browser?, system: System?, isInstalled: Bool = false) {
        self.browser = browser
        self.system = system
        self.isInstalled = isInstalled
    }

    package init(userAgent text: String?, isInstalled: Bool = false) {
        // Longer ones are no browser's.
        let text = String((text ?? "").prefix(500))
        self.init(
            browser: Browser.marks.first { text.contains($0.text) }?.browser,
            system: System.marks.first { text.contains($0.text) }?.system, isInstalled: isInstalled)
    }
}
