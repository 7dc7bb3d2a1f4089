import type { connectNodeAdapter } from '@connectrpc/connect-node'

/** Handles one request of either HTTP version. */
export type RequestHandler = ReturnType<typeof connectNodeAdapter>

/** A request of either HTTP version. */
export type NodeServerRequest = Parameters<RequestHandler>[0]

/** The response to a request of either HTTP version. */
export type NodeServerResponse = Parameters<RequestHandler>[1]
