import { plainVersion } from '@wadi/hydration/tool-versions.ts'
import type { Tools } from '../find-tools.ts'
import { type ListedTool, listTools } from '../list-tools.ts'
import { damageOf, isRecorded, releaseDamageOf } from './installed-release.ts'
import { findRelease, type ReleaseList } from './release-list.ts'

/** The result of checking a version: `unrecorded` if nothing records its program. */
type ToolStatus = 'ok' | 'failed' | 'unrecorded'

/** A version whose files were checked. */
export interface VerifiedTool extends Pick<ListedTool, 'name' | 'version' | 'origin' | 'sha256'> {
  readonly status: ToolStatus
  /** The reason of the status; empty for `ok`. */
  readonly message: string
}

/** The directories of recorded versions, and the releases that their archives must be. */
interface VerifiedPlaces {
  readonly list: ReleaseList
  readonly toolsDirectory?: string | undefined
  readonly downloadsDirectory?: string | undefined
}

/**
 * Looks at the files of all versions that are there: each program has to be that of the archive beside it, or have the digest that is
 * recorded there, and the archive that of the list. A version that cannot be used failed too.
 */
export async function verifyTools(tools: Tools, places: VerifiedPlaces): Promise<VerifiedTool[]> {
  const verified: VerifiedTool[] = []
  // One after the other, as each takes a processor.
  for (const tool of await listTools(tools)) {
    const { name, version, origin, sha256 } = tool
    verified.push({ name, version: plainVersion(version), origin, sha256, ...(await verify(tool, places)) })
  }
  return verified
}

async function verify(
  { name, version: reported, origin, error }: ListedTool,
  { list, toolsDirectory, downloadsDirectory }: VerifiedPlaces,
): Promise<Pick<VerifiedTool, 'status' | 'message'>> {
  const directories = { directory: toolsDirectory, downloaded: downloadsDirectory, own: '', brought: '' }
  const directory = directories[origin]
  const version = plainVersion(reported)
  if (directory) {
    const place = { directory, tool: name, version }
    const release = findRelease(list, name, version)
    const damage = await (release && origin === 'downloaded'
      ? releaseDamageOf(place, release.sha256)
      : damageOf(place, release?.sha256))
    if (damage !== undefined) return { status: 'failed', message: damage }
    if (error === '' && (await isRecorded(place))) return { status: 'ok', message: '' }
  }
  if (error !== '') return { status: 'failed', message: error }
  return { status: 'unrecorded', message: 'no digest is recorded beside it; it reports its version' }
}
