extension Layout {
    /// An entry of the navigation.
    package struct Link: Encodable, Sendable {
        package let label: String
        /// What the bar of a phone says instead, where the label is too long for it.
        package let shortLabel: String?
        package let path: String
        /// The icon's name in `icons.svg`.
        package let icon: String
        package let isCurrent: Bool
        /// The number of things that wait there; nil for none.
        package let count: String?
        /// Whether it stands beside the page alone, and not in the bar of a phone.
        package let isSideOnly: Bool
        /// Whether it stands in the bar of a phone alone.
        package let isBarOnly: Bool

        package init(
            label: String, shortLabel: String?, path: String, icon: String, isCurrent: Bool, count: String?,
            isSideOnly: Bool, isBarOnly: Bool
        ) {
            self.label = label
            self.shortLabel = shortLabel
            self.path = path
            self.icon = icon
            self.isCurrent = isCurrent
            self.count = count
            self.isSideOnly = isSideOnly
            self.isBarOnly = isBarOnly
        }
    }

    /// The places of staff for which the bar of a phone has no room.
    package struct More: Encodable, Sendable {
        package let places: [Link]
        /// Whether the page is one of them.
        package let holdsCurrent: Bool
        /// The number of things that wait in them; nil for none.
        package let waiting: String?

        package init(places: [Link], holdsCurrent: Bool, waiting: String?) {
            self.places = places
            self.holdsCurrent = holdsCurrent
            self.waiting = waiting
        }
    }
}
