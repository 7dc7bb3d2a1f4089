import type { SourceModule } from './module-imports.ts'
import type { Problem } from './problem.ts'
import { ownFile, workspacesOf } from './workspace.ts'

interface Edge {
  readonly to: string
  readonly line: number
}

/** Finds files that load one another in a circle, across workspaces too. Type-only imports load nothing and are ignored. */
export function checkCycles(modules: readonly SourceModule[]): Problem[] {
  const workspaces = workspacesOf(modules.map(({ file }) => file))
  const graph = new Map<string, Edge[]>()
  for (const { file, imports } of modules) {
    const edges = imports.flatMap(({ line, specifier, typeOnly }) => {
      const to = typeOnly ? undefined : ownFile(file, specifier, workspaces)
      return to === undefined ? [] : [{ to, line }]
    })
    graph.set(file, edges)
  }

  const problems: Problem[] = []
  const finished = new Set<string>()
  const trail: string[] = []
  const visit = (file: string): void => {
    trail.push(file)
    for (const { to, line } of graph.get(file) ?? []) {
      const start = trail.indexOf(to)
      if (start >= 0) {
        const circle = [...trail.slice(start), to].join(' → ')
        problems.push({ file, line, message: `import cycle: ${circle}` })
      } else if (!finished.has(to)) visit(to)
    }
    trail.pop()
    finished.add(file)
  }
  for (const file of graph.keys()) if (!finished.has(file)) visit(file)
  return problems
}
