import type { ToolName } from '@wadi/hydration/tool-versions.ts'
import type { ToolRelease } from './release-list.ts'

/** Below which addresses releases are, as their projects arrange them. */
export type ReleaseAddresses = Readonly<Record<ToolName, string>>

/** The address of a release's archive. */
export function releaseUrl(addresses: ReleaseAddresses, { tool, version, platform }: ToolRelease): string {
  const [system = '', machine = ''] = platform.split('/')
  const base = addresses[tool].replace(/\/+$/, '')
  return tool === 'helm'
    ? `${base}/helm-v${version}-${system}-${machine}.tar.gz`
    : `${base}/kustomize%2Fv${version}/kustomize_v${version}_${system}_${machine}.tar.gz`
}
