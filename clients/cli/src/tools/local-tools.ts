import { mkdir } from 'node:fs/promises'
import { CommandFailure } from '../command-line/command-failure.ts'
import { plainVersion, type ToolName, toolNames, wholeVersion } from '@wadi/hydration/tool-versions.ts'
import type { ReleaseList } from '@wadi/renderer-tools/releases/release-list.ts'
import type { Tools } from '@wadi/renderer-tools/find-tools.ts'
import { localToolsDirectory } from '../connection/data-directory.ts'

/** The versions of tools of this machine. */
export interface LocalTools {
  readonly tools: Tools
  readonly directory: string
  /** The directory of unpacked renderers and their versions. */
  readonly cacheDirectory: string
}

/** Finds the versions of tools of this machine. @throws what `localChoice` throws */
export async function openLocalTools(
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<LocalTools> {
  const { localChoice, toolDirectory } = await import('../render/local-policy.ts')
  const { tools } = await localChoice(environment, signal)
  const cacheDirectory = toolDirectory(environment)
  await mkdir(cacheDirectory, { recursive: true })
  return { tools, directory: localToolsDirectory(environment), cacheDirectory }
}

/** Reads the settings for releases, as repo-server has them. @throws InvalidInputError for an invalid one */
export async function readToolSettings(environment: NodeJS.ProcessEnv) {
  const { toolSettings } = await import('@wadi/rpc/render-settings.ts')
  const { readSettings } = await import('@wadi/rpc/service-settings.ts')
  const { repositorySettings } = await import('@wadi/repositories/repository-service-settings.ts')
  const { allowedNetworks } = repositorySettings
  return readSettings({ ...toolSettings, allowedNetworks }, { env: environment, argv: [] })
}

/** Reads the list of releases that may be installed: the operator's, else that of Wadi. */
export async function readLocalList(environment: NodeJS.ProcessEnv): Promise<ReleaseList> {
  const { readReleaseList } = await import('@wadi/renderer-tools/releases/release-list.ts')
  return readReleaseList((await readToolSettings(environment)).toolList)
}

/** A version as arguments name it. */
export interface NamedTool {
  readonly name: ToolName
  readonly version: string
}

/** Reads the arguments `<tool> <version>`. @throws CommandFailure with exit code 1 for another tool, and for what is no exact version */
export function namedTool(tool: string, version: string): NamedTool {
  const name = toolNames.find((known) => known === tool)
  if (name === undefined)
    throw new CommandFailure(`${JSON.stringify(tool)} must be ${toolNames.join(' or ')}`, usageExitCode)
  if (!wholeVersion.test(version))
    throw new CommandFailure(
      `${JSON.stringify(version)} must be one exact version, such as 4.3.1`,
      usageExitCode,
    )
  return { name, version: plainVersion(version) }
}

const usageExitCode = 1
