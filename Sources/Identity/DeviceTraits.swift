import Database

/// The coarse traits by which a person's devices can be told apart (FD-18): taken from the header that browsers send;
/// neither versions nor its text are kept.
package struct DeviceTraits: Sendable, Equatable {
    package enum Browser: String, Sendable, CaseIterable, SQLConvertible {
        case firefox, chrome, safari, edge, opera, samsung

        /// The maker's spelling, in every language.
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

        /// Most browsers also name others, to be given their pages: those come last.
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

        /// Android also names Linux.
        fileprivate static let marks: [(text: String, system: System)] = [
            ("Android", .android), ("iPhone", .ios), ("iPad", .ios), ("iPod", .ios), ("Windows", .windows),
            ("Macintosh", .macos), ("CrOS", .chromeos), ("Linux", .linux), ("X11", .linux),
        ]
    }

    package let browser: Browser?
    package let system: System?
    /// Whether pages were opened from the home screen, where they are installed.
    package let isInstalled: Bool

    package init(browser: Browser?, system: System?, isInstalled: Bool = false) {
        self.browser = browser
        self.system = system
        self.isInstalled = isInstalled
    }

    /// - Parameter isTouched: whether a script found a screen to touch, which no Mac has: an iPad calls itself one.
    package init(userAgent text: String?, isInstalled: Bool = false, isTouched: Bool = false) {
        // No browser sends a longer one.
        let text = String((text ?? "").prefix(500))
        let system = System.marks.first { text.contains($0.text) }?.system
        self.init(
            browser: Browser.marks.first { text.contains($0.text) }?.browser,
            system: system == .macos && isTouched ? .ios : system, isInstalled: isInstalled)
    }
}
