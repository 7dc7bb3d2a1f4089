import { shownUrl } from '@wadi/git/remote/repository-url.ts'
import type { KeptTool } from '@wadi/protocol/gen/wadi/tools/v1/tools_pb.ts'
import { shellCommand } from '@wadi/programs/shell-quote.ts'
import { blockLine } from '../output/table.ts'

/** A dry source; its chart is empty for a git repository. */
interface PreviewedSource {
  readonly repoUrl: string
  readonly targetRevision: string
  readonly chart: string
}

/** Returns a line for each version that made manifests beside the installation's own, and the commands that show what this would change. */
export function keptToolLines(kept: readonly KeptTool[], sources: readonly PreviewedSource[]): string[] {
  if (kept.length === 0) return []
  const versions = kept.map(({ name, version, ownVersion }) =>
    blockLine('Made With:', `${name} ${version}; the installation's own is ${ownVersion}`),
  )
  const tried = kept.map(({ name, ownVersion }) => `${name}=${ownVersion}`).join(',')
  const commands = sources
    // Revisions of charts are not compared.
    .filter(({ chart }) => chart === '')
    .map(({ repoUrl, targetRevision }) => previewCommand(shownUrl(repoUrl), targetRevision, tried))
  return [...versions, ...[...new Set(commands)].map((command) => blockLine('Preview:', command))]
}

function previewCommand(repoUrl: string, revision: string, tools: string): string {
  const named = revision === '' || revision === 'HEAD' ? [] : ['--revision', revision]
  return shellCommand(['wadi', 'diff', '--repo', repoUrl, ...named, '--tools', tools])
}
