import { plainVersion } from '@wadi/hydration/tool-versions.ts'
import { knownVersions, listTools as listed } from '@wadi/renderer-tools/list-tools.ts'
import type { RepoServerContext } from '../context.ts'
import { toolsNow } from '../tools/known-tools.ts'

/** Lists the versions of Helm and Kustomize that are there, and those that may be downloaded. */
export function listTools({ tools: known }: Pick<RepoServerContext, 'tools'>) {
  return async () => {
    const tools = await toolsNow(known)
    const there = (await listed(tools)).map(({ program: _program, used: _used, ...tool }) => ({
      ...tool,
      version: plainVersion(tool.version),
    }))
    const downloadable = knownVersions(tools).downloadable.map(({ name, version }) => ({
      name,
      version: plainVersion(version),
    }))
    return { tools: there, downloadable }
  }
}
