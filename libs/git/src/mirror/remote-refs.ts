import { objectFormatUnsupported } from '../process/git-failure.ts'
import { redactUrl } from '../remote/repository-url.ts'

/** The refs of a remote at one moment. */
export type RemoteRefs = {
  /** The short name of the branch that HEAD names. */
  head?: string
  /** Full ref name, or `HEAD`, to object; an annotated tag has a second entry with `^{}` for its commit. */
  refs: Map<string, string>
}

/**
 * Reads the output of `git ls-remote --symref`.
 * @throws FailedPreconditionError for a SHA-256 repository
 */
export function readRemoteRefs(text: string, repoUrl: string): RemoteRefs {
  const refs = new Map<string, string>()
  let head: string | undefined
  for (const line of text.split('\n')) {
    const tab = line.indexOf('\t')
    if (tab < 0) continue
    const value = line.slice(0, tab)
    const name = line.slice(tab + 1)
    if (!value.startsWith('ref: ')) refs.set(name, value)
    else if (name === 'HEAD' && value.startsWith('ref: refs/heads/')) head = value.slice(16)
  }
  const [object = ''] = refs.values()
  if (object.length === 64) throw objectFormatUnsupported(redactUrl(repoUrl))
  return head === undefined ? { refs } : { head, refs }
}
