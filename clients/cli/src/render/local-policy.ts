import { homedir } from 'node:os'
import { join } from 'node:path'
import { operatorChoice } from '@wadi/rendering/run/operator-choice.ts'
import { findTools, type Tools } from '@wadi/renderer-tools/find-tools.ts'
import { containmentSettings } from '@wadi/rpc/containment-settings.ts'
import { reuseSettings } from '@wadi/rpc/reuse-settings.ts'
import { Reuse } from '@wadi/incremental/reuse.ts'
import { renderSettings } from '@wadi/rpc/render-settings.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { localToolsDirectory } from '../connection/data-directory.ts'

/** The settings of rendering on this machine: those of a server with the same variables. */
export interface LocalChoice extends Pick<ReturnType<typeof operatorChoice>, 'policy' | 'limits'> {
  readonly tools: Tools
  /** Most memory of a renderer, in bytes. */
  readonly memoryBytes: number
  readonly reuse: Reuse
}

/**
 * Reads the settings of repo-server that decide renders, and finds the renderers.
 * @throws InvalidInputError for an invalid setting and a program that cannot be used
 */
export async function localChoice(
  environment: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<LocalChoice> {
  const settings = readSettings(
    { ...renderSettings, ...containmentSettings, ...reuseSettings },
    { env: environment, argv: [] },
  )
  const { policy, limits, programs } = operatorChoice(settings)
  const tools = await findTools({
    cacheDirectory: toolDirectory(environment),
    toolsDirectory: localToolsDirectory(environment),
    ...programs,
    ...(signal && { signal }),
  })
  const { renderMemory: memoryBytes, reuse } = settings
  return { policy, limits, tools: { ...tools, isLocal: true }, memoryBytes, reuse: new Reuse(reuse) }
}

/** Returns the directory of files that are kept between runs and may be removed at any time. */
export function cacheDirectory(environment: NodeJS.ProcessEnv): string {
  return join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'wadi')
}

/** Returns the directory into which renderers that this machine lacks are unpacked. */
export function toolDirectory(environment: NodeJS.ProcessEnv): string {
  return join(cacheDirectory(environment), 'tools')
}
