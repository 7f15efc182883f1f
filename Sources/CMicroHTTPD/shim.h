// What Swift cannot import from libmicrohttpd: variadic functions and cast macros.
#ifndef INTERSESSION_CMICROHTTPD_SHIM_H
#define INTERSESSION_CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>

static inline struct MHD_Daemon *intersession_mhd_start(
    unsigned int flags, uint16_t port, MHD_AccessHandlerCallback handler, void *context,
    const struct MHD_OptionItem *options)
{
    return MHD_start_daemon(flags, port, NULL, NULL, handler, context,
                            MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

/// The port the daemon listens on, 0 when it is not known.
static inline uint16_t intersession_mhd_port(struct MHD_Daemon *daemon)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info == NULL ? 0 : info->port;
}

/// The pointer that the connection callback stored for this connection, or NULL.
static inline void *intersession_mhd_socket_context(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

/// The connection's socket, -1 when it is not known.
static inline int intersession_mhd_socket(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

/// The client's address, or NULL.
static inline const struct sockaddr *intersession_mhd_peer(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? NULL : info->client_addr;
}

// Linux has it; the headers show it to those that ask for GNU's own names.
#ifndef POLLRDHUP
#define POLLRDHUP 0x2000
#endif

/// Whether the other end of a socket has closed it, or its sending half. Nothing is read, nothing is waited for.
static inline int intersession_is_left(int socket)
{
    struct pollfd look = { .fd = socket, .events = POLLRDHUP, .revents = 0 };
    return poll(&look, 1, 0) > 0 && (look.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

#endif
