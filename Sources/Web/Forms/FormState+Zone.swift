import Scheduling
import Wording

extension FormState {
    /// A time zone to choose, of those named after places, in the order of their names.
    /// - Parameter first: chosen before, offered also where it is none of these.
    package func zone(_ name: String = "timezone", first: String) -> FieldView {
        list(
            name, label: "own_settings.timezone", first: first, hint: "own_settings.timezone_hint",
            Set(ZoneData.current.places + [first]).sorted().map { ($0, $0.replacing("_", with: " ")) })
    }
}
