// What Swift cannot import from libcurl: functions with any number of arguments.
#ifndef INTERSESSION_CCURL_SHIM_H
#define INTERSESSION_CCURL_SHIM_H

#include <curl/curl.h>

static inline CURLcode intersession_curl_global_init(void)
{
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

/// What a transfer tells the program, all with the same context.
static inline CURLcode intersession_curl_set_callbacks(
    CURL *curl, curl_write_callback body, curl_write_callback header, curl_opensocket_callback open, void *context)
{
    CURLcode code = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, body);
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_WRITEDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, header);
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_HEADERDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open);
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, context);
    return code;
}

/// The body of a request, which is copied.
static inline CURLcode intersession_curl_set_body(CURL *curl, const void *bytes, long count)
{
    CURLcode code = curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, count);
    return code == CURLE_OK ? curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, bytes) : code;
}

static inline CURLMcode intersession_curl_multi_set(CURLM *multi, CURLMoption option, long value)
{
    return curl_multi_setopt(multi, option, value);
}

/// What has ended; NULL when nothing more has.
static inline CURL *intersession_curl_multi_next(CURLM *multi, CURLcode *result)
{
    int left = 0;
    for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

static inline CURLcode intersession_curl_set_text(CURL *curl, CURLoption option, const char *value)
{
    return curl_easy_setopt(curl, option, value);
}

static inline CURLcode intersession_curl_set_number(CURL *curl, CURLoption option, long value)
{
    return curl_easy_setopt(curl, option, value);
}

static inline CURLcode intersession_curl_set_list(CURL *curl, CURLoption option, struct curl_slist *value)
{
    return curl_easy_setopt(curl, option, value);
}

static inline CURLcode intersession_curl_set_source(CURL *curl, curl_read_callback read, void *context)
{
    CURLcode code = curl_easy_setopt(curl, CURLOPT_READFUNCTION, read);
    return code == CURLE_OK ? curl_easy_setopt(curl, CURLOPT_READDATA, context) : code;
}

static inline long intersession_curl_response_code(CURL *curl)
{
    long code = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &code);
    return code;
}

#endif
