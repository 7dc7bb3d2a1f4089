import type { ServerConnection } from '../connection/server-connection.ts'
import { hydrationState } from '../applications/hydration-state.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import type { SampleApplication } from './sample-repository.ts'

/** The state of the wait. */
export interface DemoProgress {
  connection: ServerConnection<'applications'>
  applications: SampleApplication[]
  print: (text: string) => void
  signal: AbortSignal
}

/**
 * Waits until every application is hydrated from a dry commit and reports each branch as it gets there. Returns the
 * milliseconds that each application took.
 * @throws when one of them fails
 */
export async function waitForDrySha(progress: DemoProgress, drySha: string): Promise<Map<string, number>> {
  const { connection, applications, print } = progress
  const started = performance.now()
  const ended = new AbortController()
  const signal = AbortSignal.any([progress.signal, ended.signal, AbortSignal.timeout(120_000)])
  const times = new Map<string, number>()
  const branches = new Map(applications.map(({ name, branch }) => [name, branch]))
  try {
    for await (const { application } of connection.applications.watchApplications(
      {},
      { signal, timeoutMs: 0 },
    )) {
      if (!application) continue
      const name = textAt(application, 'metadata', 'name')
      const branch = branches.get(name)
      if (branch === undefined || times.has(name)) continue
      const { status, operationDrySha, message } = hydrationState(application)
      if (operationDrySha !== drySha) continue
      if (status === 'Failed') throw new Error(`${name}: ${message}`)
      if (status !== 'Hydrated') continue
      times.set(name, performance.now() - started)
      const members = applications.filter((one) => one.branch === branch)
      const done = members.filter((member) => times.has(member.name)).length
      if (done === members.length) print(`  ${branch}: ${done} of ${members.length} applications hydrated\n`)
      if (times.size === applications.length) break
    }
  } finally {
    ended.abort()
  }
  if (times.size < applications.length) throw new Error(`not every application was hydrated from ${drySha}`)
  return times
}
