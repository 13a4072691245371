# SPDX-License-Identifier: MIT
# How we build curl ourselves, statically or fetched: HTTP and HTTPS only, HTTP/2 by nghttp2, gzip
# by zlib, brotli where it is installed, names resolved on a thread. No compiled-in certificates:
# net/ names the trust store at run time. Options that a curl version doesn't know are ignored by it.
set(YUME_CURL_OPTIONS
    HTTP_ONLY=ON
    CURL_USE_OPENSSL=ON
    USE_NGHTTP2=ON
    CURL_ZLIB=ON
    ENABLE_THREADED_RESOLVER=ON
    CURL_CA_BUNDLE=none
    CURL_CA_PATH=none
    CURL_BROTLI=AUTO
    CURL_ZSTD=OFF
    CURL_USE_LIBPSL=OFF
    CURL_USE_LIBSSH=OFF
    CURL_USE_LIBSSH2=OFF
    CURL_USE_GSSAPI=OFF
    CURL_DISABLE_LDAP=ON
    CURL_DISABLE_LDAPS=ON
    USE_LIBIDN2=OFF
    USE_LIBRTMP=OFF
    ENABLE_WEBSOCKETS=OFF
    CURL_DISABLE_WEBSOCKETS=ON
    BUILD_CURL_EXE=OFF
    BUILD_EXAMPLES=OFF
    BUILD_LIBCURL_DOCS=OFF
    BUILD_MISC_DOCS=OFF
    ENABLE_MANUAL=OFF
    ENABLE_CURL_MANUAL=OFF
    PICKY_COMPILER=OFF
    CURL_WERROR=OFF)
