/** Most paths of one template; one that reads more reads about everything. */
const maxReads = 200

/** Longest path in characters; of a longer one only the values around it are known. */
const maxPathLength = 500

/** Most templates that a chart defines, and most characters of them all; of a chart with more it is not known what a template reads. */
const maxDefinitions = 20_000
const maxTextLength = 16 * 1024 * 1024

/** Most steps of a path from a template to one that includes it, all together. */
const maxSteps = 1_000_000

/** A stretch of a file: a template that it defines, or what is in front of these. */
interface TemplatePart {
  readonly name: string | undefined
  readonly reads: Set<string>
  readonly includes: ReadonlySet<string>
}

/**
 * Returns the paths below `.Values` that each file of a chart reads, itself or by the templates that it includes; undefined for one that
 * reads about everything. The work is bounded, whatever the files are.
 */
export function chartReads(
  texts: ReadonlyMap<string, string>,
): (file: string) => ReadonlySet<string> | undefined {
  const files = partsOfFiles(texts)
  if (files === undefined) return () => undefined
  const budget = { steps: maxSteps }
  const parts = files.values().toArray().flat()
  const definitions = new Map(parts.flatMap((part) => (part.name === undefined ? [] : [[part.name, part]])))
  passUp(definitions, budget)
  return (file) => {
    const reads = new Set<string>()
    for (const part of files.get(file) ?? [])
      for (const source of [part, ...Array.from(part.includes, (name) => definitions.get(name))]) {
        for (const path of source?.reads ?? []) reads.add(path)
        budget.steps -= 1 + (source?.reads.size ?? 0)
        if (budget.steps < 0 || reads.size > maxReads) return undefined
      }
    return reads
  }
}

function partsOfFiles(texts: ReadonlyMap<string, string>): Map<string, TemplatePart[]> | undefined {
  let length = 0
  let definitions = 0
  const files = new Map<string, TemplatePart[]>()
  for (const [file, text] of texts) {
    const starts = [...text.matchAll(/\{\{-?\s*define\s+"([^"]+)"/g)]
    length += text.length
    definitions += starts.length
    if (length > maxTextLength || definitions > maxDefinitions) return undefined
    files.set(file, [
      templatePart(undefined, text.slice(0, starts[0]?.index)),
      ...starts.map(({ index, 1: name }, position) =>
        templatePart(name, text.slice(index, starts[position + 1]?.index)),
      ),
    ])
  }
  return files
}

function templatePart(name: string | undefined, text: string): TemplatePart {
  const reads = new Set<string>()
  for (const { 1: path = '' } of text.matchAll(/\.Values((?:\.[A-Za-z_]\w*){0,20})/g)) {
    if (reads.size > maxReads) break
    reads.add(path.length <= maxPathLength ? path : path.startsWith('.global.') ? '.global' : '')
  }
  const includes = text.matchAll(/\b(?:include|template)\s*(?:\(\s*)?"([^"]+)"/g)
  return { name, reads, includes: new Set(includes.map(({ 1: included = '' }) => included)) }
}

/** Adds the paths of each template to all that include it, also by others and in circles, until a budget is spent. */
function passUp(definitions: ReadonlyMap<string, TemplatePart>, budget: { steps: number }): void {
  const includedBy = new Map<string, TemplatePart[]>()
  for (const part of definitions.values())
    for (const name of part.includes) includedBy.getOrInsertComputed(name, () => []).push(part)
  for (const part of definitions.values())
    for (const path of part.reads) {
      const reading = [part]
      for (let next = reading.pop(); next !== undefined; next = reading.pop())
        for (const above of includedBy.get(next.name ?? '') ?? []) {
          budget.steps -= 1
          if (budget.steps < 0) return
          if (above.reads.has(path) || above.reads.size > maxReads) continue
          above.reads.add(path)
          reading.push(above)
        }
    }
}
