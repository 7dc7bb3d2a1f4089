import { homedir } from 'node:os'
import { join } from 'node:path'
import type { RenderPolicy } from '@wadi/rendering/source.ts'

/** What a server allows unless its operator widens it. */
export const localPolicy: RenderPolicy = {
  allowRemoteBases: false,
  allowRemoteCharts: false,
  kustomizeBuildOptions: [],
}

/** What is kept between runs and may be removed at any time. */
export function cacheFolder(environment: NodeJS.ProcessEnv): string {
  return join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'wadi')
}

/** Where renderers are unpacked that this machine lacks. */
export function toolFolder(environment: NodeJS.ProcessEnv): string {
  return join(cacheFolder(environment), 'tools')
}
