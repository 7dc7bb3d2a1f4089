import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { Code, ConnectError } from '@connectrpc/connect'
import type { Compression, UniversalHandler, UniversalServerRequest } from '@connectrpc/connect/protocol'
import { compressionGzip } from '@connectrpc/connect-node'
import { Places } from '@wadi/concurrency/places.ts'
import { mayCompress } from './access/compressed-answers.ts'

const compress = promisify(gzip)

/** A request may grow to this when it is decompressed, in bytes, where less is not allowed anyway. */
const maxDecompressedBytes = 16 * 1024 ** 2

/** Smaller answers are sent as they are. */
export const compressMinBytes = 16 * 1024

// Compression runs in Node's few threads, which files and names need too.
const places = new Places(2, 'compression')

/** Gzip for requests and answers, with a bound on what a request may become and on the work for an answer. */
export const boundedGzip: Compression = {
  name: compressionGzip.name,
  compress: async (bytes) => {
    using _ = await places.take()
    return new Uint8Array(await compress(bytes, { level: constants.Z_BEST_SPEED }))
  },
  decompress: async (bytes, readMaxBytes) => {
    using _ = await places.take()
    try {
      return await compressionGzip.decompress(bytes, Math.min(readMaxBytes, maxDecompressedBytes))
    } catch (error) {
      if (!(error instanceof ConnectError) || error.code !== Code.Internal) throw error
      throw new ConnectError(
        'the request is not complete gzip',
        Code.InvalidArgument,
        undefined,
        undefined,
        error,
      )
    }
  },
}

const acceptHeaders = ['accept-encoding', 'grpc-accept-encoding', 'connect-accept-encoding']

/** Makes an answer that may not be compressed one whose caller accepts no compression. */
export function withAllowedCompression(
  { service, method }: Pick<UniversalHandler, 'service' | 'method'>,
  request: UniversalServerRequest,
): UniversalServerRequest {
  if (mayCompress(service, method)) return request
  const header = new Headers(request.header)
  for (const name of acceptHeaders) header.set(name, 'identity')
  return { ...request, header }
}
