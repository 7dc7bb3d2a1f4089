import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'

/** A Helm that notes what it renders. */
export interface NotedHelm {
  /** Path for `WADI_HELM`. */
  path: string
  /**
   * Returns the renders since the last call, each once, sorted: the value `name` of the chart, or Helm's arguments where it
   * got none.
   */
  rendered(): Promise<string[]>
}

/** Puts a script into a directory that notes the values of each chart and becomes the real Helm. */
export async function noteHelm(directory: string): Promise<NotedHelm> {
  const [helm = ''] = (await findTools({ cacheDirectory: toolCache })).helm.command
  const path = join(directory, 'helm')
  const notes = join(directory, 'renders')
  const script = `#!/bin/sh
if [ "$1" = template ]; then
  values='{}'
  for file in "$@"; do
    case "$file" in *inline-values.yaml) values=$(/bin/cat "$file") ;; esac
  done
  printf '%s\\t%s\\n' "$*" "$values" >> '${notes}'
fi
exec '${helm}' "$@"
`
  await writeFile(path, script, { mode: 0o755 })
  return {
    path,
    async rendered() {
      const text = await readFile(notes, 'utf8').catch(() => '')
      await rm(notes, { force: true })
      const names = text.split('\n').filter(Boolean).map(nameOf)
      return [...new Set(names)].toSorted()
    },
  }
}

function nameOf(note: string): string {
  const [commandLine = '', values = '{}'] = note.split('\t')
  const { name } = JSON.parse(values) as { name?: string }
  return name ?? commandLine
}
