import type { HydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'

/** Most tools whose change one commit lists. */
const maxTools = 20

/** Longest name or version that is listed, in characters: a plugin's version is a digest. */
const longest = 40

/** Counts the directories that other versions of tools have made than those that they were made by before. */
export class ToolChanges {
  readonly #directories = new Map<string, number>()

  /** Compares the record that the branch has of a directory with the one that takes its place. */
  add(held: HydratorMetadata | undefined, wanted: Pick<HydratorMetadata, 'tools'>): void {
    for (const name of new Set(wanted.tools.map((tool) => tool.name))) {
      const before = versions(held?.tools ?? [], name)
      const now = versions(wanted.tools, name)
      if (before === '' || before === now) continue
      const change = `${oneLine(name)} ${before} to ${now}`
      this.#directories.set(change, (this.#directories.get(change) ?? 0) + 1)
    }
  }

  /** One trailer for each change, for example `Tool-changed: helm v4.1.3 to v4.1.4 in 2 directories`. */
  trailers(): string[] {
    return [...this.#directories].slice(0, maxTools).map(([change, count]) => {
      return `Tool-changed: ${change} in ${count} ${count === 1 ? 'directory' : 'directories'}`
    })
  }
}

/** Adds trailers to a commit message, to those that it ends with or as a paragraph of their own. */
export function withTrailers(message: string, trailers: readonly string[]): string {
  if (trailers.length === 0) return message
  const text = message.trimEnd()
  const last = text.slice(text.lastIndexOf('\n\n') + 2)
  const hasTrailers = text.includes('\n\n') && last.split('\n').every((line) => /^[\w-]+: /.test(line))
  return `${text}${hasTrailers ? '\n' : '\n\n'}${trailers.join('\n')}\n`
}

/** The versions of a tool that made a directory: several when parts ask for their own. */
function versions(tools: HydratorMetadata['tools'], name: string): string {
  const found = tools.filter((tool) => tool.name === name).map(({ version }) => oneLine(version))
  return [...new Set(found)].slice(0, maxTools).toSorted().join(' and ')
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\p{Cc}+/gu, ' ')
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}
