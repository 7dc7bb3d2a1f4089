import { revisionVariables } from '../source/build-environment.ts'
import type { SourceInspection } from './source-inspection.ts'

const namesOfRevision = [...revisionVariables('').keys()]

/** The parts of the repository that an inspection depends on. */
interface Dependencies {
  /** Every path that was read, clean; what is below a directory among them counts too. */
  readonly paths: readonly string[]
  /** True if the result is different for each revision. */
  readonly onRevision: boolean
}

/** Returns the parts of the repository that an inspection depends on. */
export function dependenciesOf({
  reads,
  variables,
}: Pick<SourceInspection, 'reads' | 'variables'>): Dependencies {
  return {
    paths: reads.map(([path]) => cleanPath(path)),
    onRevision: variables.some((name) => namesOfRevision.includes(name)),
  }
}

/** A path without empty parts and `.`, which have no effect; the same string where there are none. */
function cleanPath(path: string): string {
  if (!/(?:^|\/)\.?(?:\/|$)/u.test(path)) return path
  return path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .join('/')
}
