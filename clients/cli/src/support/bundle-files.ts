import type { JsonObject } from '@bufbuild/protobuf'
import type { ServiceReport } from '@wadi/protocol/gen/wadi/diagnostics/v1/diagnostics_pb.ts'
import { SearchApplicationsResponseSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { ListBranchesResponseSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import { ListRepositoriesResponseSchema } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { programVersion } from '../command-line/program-version.ts'
import { errorText } from '../command-line/error-text.ts'
import { diagnosisObject } from '../doctor/diagnosis-object.ts'
import { diagnoseMachine } from '../doctor/local-findings.ts'
import { diagnoseServer } from '../doctor/server-diagnosis.ts'
import { messageObject } from '../output/message-output.ts'
import type { ArchiveFile } from './write-archive.ts'

/** A file of a bundle, and what it holds in words. */
export interface BundleFile extends ArchiveFile {
  readonly holds: string
}

/** One page is enough to see what is wrong; the totals say how many more there are. */
const maxListed = 500

/** Returns what this machine says of itself: versions, findings, and the names of the variables that Wadi reads. */
export async function machineFiles({ environment }: CommandSession): Promise<BundleFile[]> {
  const { findings, renderers, notes } = await diagnoseMachine(environment)
  const variables = Object.keys(environment).filter((name) => /^(?:WADI|ARGOCD|OTEL)_/.test(name))
  const client = {
    version: programVersion,
    nodeVersion: process.version,
    platform: `${process.platform}/${process.arch}`,
    time: new Date().toISOString(),
    variables: variables.toSorted(),
  }
  return [
    jsonFile('client.json', client, 'version and platform of the command line, names of its variables'),
    jsonFile(
      'client-doctor.json',
      {
        findings: findings.map((one) => ({ ...one })),
        renderers: renderers.map((one) => ({ ...one })),
        notes,
      },
      'what wadi doctor finds on this machine',
    ),
  ]
}

/** Returns what a server says of itself, its services, and the states of what it hydrates. */
export async function serverFiles(session: CommandSession): Promise<BundleFile[]> {
  const diagnosis = await diagnoseServer(session, { details: true })
  return [
    jsonFile('doctor.json', diagnosisObject(diagnosis), 'what wadi doctor --remote finds'),
    ...diagnosis.answer.services.flatMap(serviceFiles),
    ...(await stateFiles(session)),
  ]
}

function serviceFiles({ service, settings, metrics, log }: ServiceReport, index: number): BundleFile[] {
  const directory = `services/${index + 1}-${service.replaceAll(/[^a-z0-9-]/g, '-')}`
  return [
    jsonFile(`${directory}/settings.json`, settings, `settings of ${service}, without the values of secrets`),
    { name: `${directory}/metrics.txt`, text: metrics, holds: `metrics of ${service}` },
    {
      name: `${directory}/log.txt`,
      text: log.map((line) => `${line}\n`).join(''),
      holds: `last lines of the log of ${service}`,
    },
  ]
}

/** The files with states; one that cannot be read, by the rights of the caller for example, says why instead. */
async function stateFiles(session: CommandSession): Promise<BundleFile[]> {
  const { applications, branches, repositories } = await session.connect(
    'applications',
    'branches',
    'repositories',
  )
  const options = { signal: session.signal }
  const page = { limit: maxListed }
  const parts: [string, string, () => Promise<JsonObject>][] = [
    [
      'applications.json',
      'states of Applications, without their parameters',
      async () =>
        messageObject(
          SearchApplicationsResponseSchema,
          await applications.searchApplications({ ...page, orderBy: 'phase' }, options),
        ),
    ],
    [
      'branches.json',
      'states of hydrated branches',
      async () => messageObject(ListBranchesResponseSchema, await branches.listBranches(page, options)),
    ],
    ...[false, true].map((write): [string, string, () => Promise<JsonObject>] => [
      write ? 'write-repositories.json' : 'repositories.json',
      `repositories with ${write ? 'write' : 'read'} credentials, without these`,
      async () =>
        messageObject(
          ListRepositoriesResponseSchema,
          await repositories.listRepositories({ write, refresh: false }, options),
        ),
    ]),
  ]
  return Promise.all(
    parts.map(async ([name, holds, read]) => {
      const content = await read().catch(async (error: unknown) => {
        session.signal.throwIfAborted()
        return { error: await errorText(error) }
      })
      return jsonFile(name, content, holds)
    }),
  )
}

/** Returns a file that says why nothing is known of the server. */
export function failureFile(reason: string): BundleFile {
  return { name: 'server-error.txt', text: `${reason}\n`, holds: 'why the server gave no answer' }
}

function jsonFile(name: string, value: JsonObject, holds: string): BundleFile {
  return { name, text: `${JSON.stringify(value, undefined, 2)}\n`, holds }
}
