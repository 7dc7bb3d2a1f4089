import { createHash } from 'node:crypto'
import type { StandInAnswer, StandInRequest } from '../pull-requests/forge-state-fixture.ts'

/** An error in the form of Azure DevOps. */
export const refusal = (status: number, message: string): StandInAnswer => ({
  status,
  body: { $id: '1', message, typeName: 'Microsoft.TeamFoundation.Git.Server.GitException', errorCode: 0 },
})

/** The error for a repository that is not there. */
export const absent = refusal(
  404,
  'TF401019: The Git repository does not exist or you do not have permissions',
)
/** A list; with `$skip` one page of it. */
export const list = (all: readonly unknown[], { query }: StandInRequest, pageLimit = 2): StandInAnswer => {
  const skip = Number(query.get('$skip') ?? 0)
  const top = query.has('$skip') ? Math.max(pageLimit, Number(query.get('$top'))) : Infinity
  const value = all.slice(skip, skip + top)
  return { status: 200, body: { value, count: value.length } }
}

/** The id of an account or team. */
export function idOf(name: string): string {
  const digest = createHash('sha256').update(name).digest('hex')
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}

/** An account. */
export function identity(name: string) {
  return { id: idOf(name), uniqueName: name, displayName: name }
}
