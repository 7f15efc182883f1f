import Identity
import Wording

/// Names of devices on pages.
enum DeviceNames {
    /// The browser and its system, as far as known; nil where neither is.
    static func text(_ traits: DeviceTraits, _ texts: Texts) -> String? {
        guard let browser = traits.browser?.name, let system = traits.system?.name else {
            return traits.browser?.name ?? traits.system?.name
        }
        return texts["devices.browser_on", ["browser": browser, "system": system]]
    }

    /// The device's own name, or the kind of program, with its traits.
    static func text(
        own: String?, kind: Credential.Kind, _ traits: DeviceTraits, _ texts: Texts
    ) -> String {
        let known = text(traits, texts)
        if let own { return known.map { "\(own) (\($0))" } ?? own }
        if kind == .session { return known ?? texts["devices.browser"] }
        return known.map { "\(texts["devices.program"]) (\($0))" } ?? texts["devices.program"]
    }
}
