import HTTP
import Scheduling
import Wire
import Wording

extension FormState {
    /// A day and time. Beside one that comes twice stand both offsets to choose from, also where it is stored: saving it untouched
    /// moves nothing.
    /// - Parameter dates: with the zone of the field.
    package func moment(
        _ name: String, label: String, first: Instant? = nil, _ dates: DateFormat, hint: Message? = nil,
        required: Bool = false
    ) -> FieldView {
        let stored = first.map(dates.machineTime) ?? ""
        var view = field(name, label: label, first: stored, hint: hint, required: required)
        view.type = "datetime-local"
        // Where another page has filled the form in, the moment is known.
        let known = form[name] == nil ? first : Instant(view.value)
        if let known { view.value = dates.machineTime(known) }
        let chosen = known.map(dates.zone.offsetText) ?? form[TypedNumber.meantName(name)]
        let offsets = TypedMoment(view.value, dates.zone)?.offsets ?? []
        view.readings = zip(offsets, ["forms.first_time", "forms.second_time"]).map { offset, words in
            Reading(
                of: name, value: offset, label: texts[words, ["offset": offset]],
                isChosen: offset == chosen)
        }
        return view
    }
}
