import type { SourceModule } from './module-imports.ts'
import type { Problem } from './problem.ts'
import { ownFile, workspacesOf } from './workspace.ts'

interface Edge {
  readonly to: string
  readonly line: number
  readonly typeOnly: boolean
}

type Graph = ReadonlyMap<string, readonly Edge[]>

/** The maximum of files whose types need one another: with two, they can still be read as one. */
const maxKnot = 2

/** Finds files that load one another in a circle, across workspaces too, and knots of more than two files that name one another's types. */
export function checkCycles(modules: readonly SourceModule[]): Problem[] {
  const workspaces = workspacesOf(modules.map(({ file }) => file))
  const graph = new Map<string, Edge[]>()
  for (const { file, imports } of modules) {
    const edges = imports.flatMap(({ line, specifier, typeOnly }) => {
      const to = ownFile(file, specifier, workspaces)
      return to === undefined ? [] : [{ to, line, typeOnly }]
    })
    graph.set(file, edges)
  }
  const circles = loadingCircles(graph)
  return circles.length > 0 ? circles : typeKnots(graph)
}

function loadingCircles(graph: Graph): Problem[] {
  const problems: Problem[] = []
  const finished = new Set<string>()
  const trail: string[] = []
  const visit = (file: string): void => {
    trail.push(file)
    for (const { to, line, typeOnly } of graph.get(file) ?? []) {
      if (typeOnly) continue
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

/** Finds the strongly connected parts of the graph by Tarjan's algorithm. */
function typeKnots(graph: Graph): Problem[] {
  const problems: Problem[] = []
  const order = new Map<string, number>()
  const trail: string[] = []
  const visit = (file: string): number => {
    const own = order.size
    order.set(file, own)
    trail.push(file)
    let lowest = own
    for (const { to } of graph.get(file) ?? []) {
      const seen = order.get(to)
      if (seen === undefined) lowest = Math.min(lowest, visit(to))
      else if (trail.includes(to)) lowest = Math.min(lowest, seen)
    }
    if (lowest < own) return lowest
    const knot = trail.splice(trail.indexOf(file)).toSorted()
    const [first = file] = knot
    if (knot.length > maxKnot) {
      const message = `${knot.length} files need one another's types, ${maxKnot} at the most: ${knot.join(', ')}`
      problems.push({ file: first, line: 1, message })
    }
    return own
  }
  for (const file of graph.keys()) if (!order.has(file)) visit(file)
  return problems
}
