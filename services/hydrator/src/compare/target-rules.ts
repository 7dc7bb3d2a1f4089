import type { NoiseRule } from '@wadi/changes/noise/noise-rules.ts'
import { readNoiseRules } from '@wadi/changes/noise/read-noise-rules.ts'
import { DomainError, NotFoundError, UnavailableError } from '@wadi/errors/domain-error.ts'
import type { MemberGroup } from '../run/branch-run.ts'
import { readVerification } from '../run/observe/group-verification.ts'
import type { RunContext } from '../run/run-context.ts'
import type { Comparison } from './resolve-comparison.ts'

const settingsFile = 'wadi.yaml'

/**
 * Reads what the target's `wadi.yaml` ignores. The revision's own file decides nothing, so that a change cannot hide
 * itself. A file that cannot be read is a warning, and then nothing is ignored.
 */
export async function readTargetRules(
  context: Pick<RunContext, 'repoServer' | 'store'>,
  group: MemberGroup,
  { targetSha: sha, target, followedBy }: Comparison,
  signal: AbortSignal,
): Promise<{ rules: NoiseRule[]; warnings: string[] }> {
  const position = group.sources.findIndex(followedBy)
  const { repoUrl = group.repoUrl } = group.sources[position] ?? {}
  const { project } = group
  try {
    const { verifications } = await readVerification(context.store, group)
    const verification = verifications[position]
    const request = { repoUrl, project, sha, paths: [settingsFile], ...(verification && { verification }) }
    const { contents } = await context.repoServer.readFiles(request, { signal })
    const [content] = contents
    return { rules: content ? readNoiseRules(content, settingsFile) : [], warnings: [] }
  } catch (error) {
    if (error instanceof NotFoundError) return { rules: [], warnings: [] }
    if (!(error instanceof DomainError) || error instanceof UnavailableError) throw error
    return {
      rules: [],
      warnings: [`no differences are ignored, because of ${settingsFile} on ${target}: ${error.message}`],
    }
  }
}
