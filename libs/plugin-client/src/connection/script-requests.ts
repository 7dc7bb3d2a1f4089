import { type MessageInitShape, create } from '@bufbuild/protobuf'
import {
  type RunScriptRequest,
  RunScriptRequestSchema,
  type ScriptSchema,
} from '@wadi/protocol/gen/wadi/cmp_server/v1/command_service_pb.ts'
import type { Archive } from '../archive/archive-packer.ts'
import { chunksOf } from './archive-requests.ts'

/** The messages that carry a script and then the archive of its files. */
export async function* scriptRequests(
  archive: Archive,
  script: Pick<MessageInitShape<typeof ScriptSchema>, 'text' | 'folder' | 'environment' | 'timeLimit'>,
): AsyncGenerator<RunScriptRequest> {
  const value = { ...script, archiveSize: BigInt(archive.size), archiveChecksum: archive.checksum }
  yield create(RunScriptRequestSchema, { part: { case: 'script', value } })
  for (const chunk of chunksOf(archive.parts)) {
    yield create(RunScriptRequestSchema, { part: { case: 'chunk', value: chunk } })
  }
}
