import { errorMessage } from '@wadi/errors/domain-error.ts'
import { fastVersions } from '@wadi/engines/guard/fast-versions.ts'
import { toolFindings } from '@wadi/engines/guard/tool-findings.ts'
import { runGit } from '@wadi/git/process/run-git.ts'
import type { Tools } from '@wadi/renderer-tools/find-tools.ts'
import { listTools } from '@wadi/renderer-tools/list-tools.ts'
import { diskFindings, readDisks } from '@wadi/rpc/diagnostics/disks.ts'
import type { Finding } from '@wadi/rpc/diagnostics/finding.ts'
import { defaultDataDirectory } from '../connection/data-directory.ts'
import { cacheDirectory, localChoice } from '../render/local-policy.ts'

/** A program that renders on this machine. */
interface FoundRenderer {
  readonly name: string
  readonly version: string
  readonly program: string
  readonly used: string
}

/** The findings about this machine as a place for Wadi, and the programs that render here. */
export interface LocalDiagnosis {
  readonly findings: Finding[]
  readonly renderers: FoundRenderer[]
  readonly notes: string[]
}

/** Finds what is wrong with this machine, with the settings of an environment. */
export async function diagnoseMachine(environment: NodeJS.ProcessEnv): Promise<LocalDiagnosis> {
  const choice = localChoice(environment)
  // Its error is a finding.
  choice.catch(() => undefined)
  const findTools = async (): Promise<Tools> => (await choice).tools
  const [ofTools, disks, data, ofGit] = await Promise.all([
    toolFindings(findTools),
    readDisks(cacheDirectory(environment)),
    readDisks(defaultDataDirectory(environment)),
    gitFindings(),
  ])
  const full = diskFindings('this machine', [...disks, ...data])
  const findings = [...ofGit, ...ofTools, ...new Map(full.map((one) => [one.message, one])).values()]
  const tools = await findTools().catch(() => undefined)
  if (!tools) return { findings, renderers: [], notes: [] }
  const renderers = (await listTools(tools)).map((tool) => ({ ...tool }))
  return { findings, renderers, notes: [fastVersions(tools)] }
}

async function gitFindings(): Promise<Finding[]> {
  try {
    await runGit({ args: ['version'] })
    return []
  } catch (error) {
    const message = `git cannot be run: ${errorMessage(error)}`
    return [
      { severity: 'error', area: 'tools', message, remedy: 'install git, such as with apt-get install git' },
    ]
  }
}
