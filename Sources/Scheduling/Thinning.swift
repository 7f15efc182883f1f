/// Long series of results, thinned for a chart (TYT-2).
public enum Thinning {
    /// Up to so many all are shown.
    public static let all = 20
    /// Only the last so many are used.
    public static let most = 160

    /// Up to 20 values stay unchanged. Of more, every fourth (up to 40), third (up to 80) or second one is dropped,
    /// from the oldest on and never the oldest itself, until half of the excess over 20 is gone or the series ends.
    /// - Parameter values: the oldest first.
    public static func thinned<T>(_ values: [T]) -> [T] {
        let used = values.suffix(most)
        guard used.count > all else { return Array(used) }
        let step = used.count <= 40 ? 4 : used.count <= 80 ? 3 : 2
        var left = (used.count - all) / 2
        return used.enumerated().compactMap { position, value in
            guard position > 0, position % step == 0, left > 0 else { return value }
            left -= 1
            return nil
        }
    }
}
