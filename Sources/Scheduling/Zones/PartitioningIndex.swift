extension RandomAccessCollection {
    /// The index of the first element of the second part, found by halving; the end index without one.
    /// - Parameter isInSecond: no for every element up to some place, and yes for every one behind it.
    public func partitioningIndex(where isInSecond: (Element) -> Bool) -> Index {
        var low = startIndex
        var left = count
        while left > 0 {
            let half = left / 2
            let middle = index(low, offsetBy: half)
            if isInSecond(self[middle]) {
                left = half
            } else {
                low = index(after: middle)
                left -= half + 1
            }
        }
        return low
    }
}
