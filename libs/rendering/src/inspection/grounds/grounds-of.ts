import { revisionVariables } from '../../source/build-environment.ts'
import type { SourceInspection } from '../source-inspection.ts'
import type { InspectionGrounds } from './kept-grounds.ts'

const namesOfRevision = [...revisionVariables('').keys()]

/** Returns the parts of the repository that an inspection depends on. */
export function groundsOf({
  reads,
  variables,
}: Pick<SourceInspection, 'reads' | 'variables'>): Omit<InspectionGrounds, 'keys'> {
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
