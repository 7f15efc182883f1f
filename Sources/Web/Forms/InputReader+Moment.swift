import HTTP
import Scheduling
import Wire
import Wording

extension InputReader {
    /// A moment: from a form as `moment`, from a call as `time`.
    package func instant(_ name: String, _ zone: Zone, required: Bool = false) -> Instant? {
        isForm ? moment(name, zone, required: required) : time(name, required: required)
    }

    /// What `FormState.moment` draws: a local time in a zone, with its offset where it comes twice; or an instant with an offset.
    package func moment(_ name: String, _ zone: Zone, required: Bool = false) -> Instant? {
        guard let text = text(name, required: required) else { return nil }
        if let instant = Instant(text) { return instant }
        guard let typed = TypedMoment(text, zone) else {
            refuse(name, "errors.day_and_time")
            return nil
        }
        let meant = typed.meant(form[TypedNumber.meantName(name)])
        if meant == nil { refuse(name, "errors.which_time", ["time": typed.clock]) }
        return meant
    }
}
