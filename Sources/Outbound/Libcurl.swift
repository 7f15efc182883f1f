import CCurl

/// State shared by all users of libcurl in this process.
public enum Libcurl {
    /// It must be set up once, before any thread uses it; Swift does this exactly once. False on failure.
    public static let isReady = intersession_curl_global_init() == CURLE_OK
}
