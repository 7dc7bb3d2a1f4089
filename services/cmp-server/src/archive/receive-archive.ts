import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { AppStreamRequest, ManifestRequestMetadata } from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'

// Argo CD sends parts of one kibibyte.
const writeBytes = 256 * 1024

/**
 * Writes the archive of a stream to a file and checks it against its checksum. The stream is read to its end even when
 * it is refused: Argo CD's client reads the reason only after it could send everything.
 * @throws InvalidInputError for a stream out of order or another checksum, ResourceExhaustedError above the limit
 */
export async function receiveArchive(
  requests: AsyncIterable<AppStreamRequest>,
  file: string,
  maxBytes: number,
): Promise<ManifestRequestMetadata> {
  await using archive = await open(file, 'wx', 0o600)
  const hash = createHash('sha256')
  let metadata: ManifestRequestMetadata | undefined
  let refusal: Error | undefined
  let size = 0
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  const flush = async () => {
    await archive.writeFile(Buffer.concat(waiting))
    waiting = []
    waitingBytes = 0
  }
  for await (const { request } of requests) {
    if (refusal !== undefined) continue
    if (metadata === undefined) {
      if (request.case === 'metadata') metadata = request.value
      else refusal = new InvalidInputError('error getting stream metadata: metadata is nil')
    } else if (request.case !== 'file') {
      refusal = new InvalidInputError('stream request file is nil')
    } else {
      const { chunk } = request.value
      size += chunk.length
      if (size > maxBytes) {
        refusal = new ResourceExhaustedError(`the archive has more than ${maxBytes} bytes`)
      } else {
        hash.update(chunk)
        waiting.push(chunk)
        waitingBytes += chunk.length
        if (waitingBytes >= writeBytes) await flush()
      }
    }
  }
  if (refusal !== undefined) throw refusal
  if (metadata === undefined) throw new InvalidInputError('error getting stream metadata: metadata is nil')
  if (hash.digest('hex') !== metadata.checksum) throw new InvalidInputError('file checksum validation error')
  await flush()
  return metadata
}
