// What Swift cannot import from libcurl: functions with any number of arguments.
#ifndef INTERSESSION_CCURL_SHIM_H
#define INTERSESSION_CCURL_SHIM_H

#include <curl/curl.h>

static inline CURLcode intersession_curl_global_init(void)
{
    return curl_global_init(CURL_GLOBAL_DEFAULT);
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
