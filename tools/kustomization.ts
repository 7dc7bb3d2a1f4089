import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { deployDirectory } from './chart.ts'

/** Returns the YAML of a kustomization below `deploy`. */
export async function buildKustomization(directory: string): Promise<string> {
  const { command, standalone } = (await findTools({ cacheDirectory: toolCache })).kustomize
  const [kustomize = '', ...before] = command
  const args = [...before, ...(standalone ? ['build'] : []), path.join(deployDirectory, directory)]
  return (await promisify(execFile)(kustomize, args)).stdout
}
