import { extendedFingerprint, type SourceInspection } from '@wadi/rendering/inspection/source-inspection.ts'
import type { DrySource } from './source-renderer.ts'

/**
 * The key of what is kept for one project and repository alone: a result may show what the credentials of its project can
 * read, and equal files elsewhere give nobody a right to that.
 */
export function ownKey({ project, source }: Pick<DrySource, 'project' | 'source'>, key: string): string {
  return extendedFingerprint(key, JSON.stringify([project, source.repoUrl]))
}

/** The inspection with the key of its verdict changed as {@link ownKey} does. */
export function inOwnName(dry: DrySource, inspection: SourceInspection): SourceInspection {
  return { ...inspection, repeatKey: ownKey(dry, inspection.repeatKey) }
}
