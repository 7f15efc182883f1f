import Studies
import Therapies
import Web
import Wire
import Wording

/// The fields of one group in the form of a study's groups: a box for each that the house names, a row for one of the study's own.
package struct ArmFields: Encodable, Sendable {
    /// Nil in a row.
    let box: FieldView?
    /// Key and titles; empty beside a box.
    let names: [FieldView]
    /// Whether it has the app, and whether there are interventions; empty beside a box.
    let traits: [FieldView]
    let ratio: FieldView
    /// Nil beside a box.
    let crossing: FieldView?

    private static let spareRows = 2

    static func boxes(_ known: [StudyArm]?, _ filled: FormState) -> [ArmFields] {
        StudyDesign.arms.map { name in
            let stored = known?[StudyArm.Key(rawValue: name)]
            let box = filled.box(
                "arm_\(name)", label: "studies.arm_\(name)", hint: "studies.arm_\(name)_hint",
                isOn: known == nil ? name != "no_app" : stored != nil)
            return ArmFields(
                box: box, names: [], traits: [], ratio: ratio("arm_\(name)_ratio", stored, filled),
                crossing: nil)
        }
    }

    /// One for each of the study's own groups, and some that are empty.
    static func rows(_ known: [StudyArm], _ filled: FormState, _ services: Services) -> [ArmFields] {
        let own = known.filter { Therapy.Arm(rawValue: $0.key.rawValue) == nil }
        return (1...min(StudyArm.most, own.count + spareRows)).map { number in
            let arm = own.indices.contains(number - 1) ? own[number - 1] : nil
            let row = "group_\(number)"
            let key = filled.field(
                "\(row)_key", label: "studies.group_key", first: arm?.key.rawValue ?? "",
                hint: number == 1 ? "studies.arm_key" : nil)
            let titles = LocalizedFields(
                "\(row)_title", label: "studies.group_title_in", first: arm?.title, filled, services)
            let traits = [
                filled.box(
                    "\(row)_app", label: "studies.group_app", isOn: arm.map { $0.treatment != .noApp } ?? true
                ),
                filled.box(
                    "\(row)_interventions", label: "studies.group_interventions",
                    isOn: arm.map { $0.treatment == .full } ?? true),
            ]
            return ArmFields(
                box: nil, names: [key] + titles.fields, traits: traits,
                ratio: ratio("\(row)_ratio", arm, filled),
                crossing: filled.field(
                    "\(row)_crosses_after_days", .whole, label: "studies.group_crossing",
                    first: arm?.crossesAfter.map { String($0) } ?? "",
                    hint: number == 1 ? "studies.group_crossing_hint" : nil))
        }
    }

    private static func ratio(_ name: String, _ arm: StudyArm?, _ filled: FormState) -> FieldView {
        filled.field(name, .whole, label: "studies.group_ratio", first: String(arm?.ratio ?? 1))
    }
}
