import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Node, parseSync, Visitor } from 'oxc-parser'
import type { Problem } from './problem.ts'

/** A kind of thing that has a directory for each, with an object that has a name. */
interface Kind {
  /** Its noun, by which expressions with a name are recognized. */
  readonly noun: 'renderer' | 'forge'
  /** The directories are below this one. */
  readonly home: string
  /** Files that may depend on a name. */
  readonly concerns: RegExp
  /** The place for what depends on a name, for messages. */
  readonly advice: string
  /** True if objects and lists of names count as tables even where nothing looks them up. */
  readonly hasTables: boolean
}

const kinds: readonly Kind[] = [
  {
    noun: 'renderer',
    home: 'libs/rendering/src/',
    concerns: /renderer|plan\b/i,
    advice: 'put it into the plan',
    hasTables: false,
  },
  {
    noun: 'forge',
    home: 'libs/forges/src/',
    concerns: /forge|git(?:hub|lab|ea)|bitbucket|azure/i,
    advice: 'put it into the Forge',
    hasTables: true,
  },
]

/**
 * Finds code outside the directory of a renderer or a forge that depends on its name: comparisons, switches and tables. Tests and tools
 * may name them.
 */
export async function checkKindNames(root: string, files: readonly string[]): Promise<Problem[]> {
  const problems: Problem[] = []
  const own = files.filter((file) => !/(?:\.test|-fixture)\.ts$|^tools\//.test(file))
  const directories = await Promise.all(kinds.map((kind) => directoriesByName(root, own, kind)))
  for (const file of own) {
    const source = await readFile(path.join(root, file), 'utf8')
    for (const [index, kind] of kinds.entries()) {
      // Parsing every file would take longer than all other checks together.
      if (!kind.concerns.test(source)) continue
      const isForeign = (name: unknown): boolean => {
        const directory = typeof name === 'string' ? directories[index]?.get(name) : undefined
        return directory !== undefined && !file.startsWith(directory)
      }
      for (const { start, message } of usesOf(file, source, kind, isForeign)) {
        problems.push({ file, line: source.slice(0, start).split('\n').length, message })
      }
    }
  }
  return problems
}

/** The directory of each, by the name in its `…-renderer.ts` or `…-forge.ts`. */
async function directoriesByName(
  root: string,
  files: readonly string[],
  { home, noun }: Kind,
): Promise<Map<string, string>> {
  const directories = new Map<string, string>()
  for (const file of files) {
    if (!file.startsWith(home) || !file.endsWith(`-${noun}.ts`)) continue
    const [, name] = /^ {2}name: '([^']+)'/m.exec(await readFile(path.join(root, file), 'utf8')) ?? []
    if (name !== undefined) directories.set(name, `${path.posix.dirname(file)}/`)
  }
  return directories
}

interface Use {
  readonly start: number
  readonly message: string
}

function usesOf(
  file: string,
  source: string,
  { noun, advice, hasTables }: Kind,
  isForeign: (name: unknown) => boolean,
): Use[] {
  const uses: Use[] = []
  const found = ({ start }: { readonly start: number }, what: string): void => {
    uses.push({ start, message: `${what} a ${noun}'s name outside its directory: ${advice}` })
  }
  const isName = (node: Node): boolean => isNameOf(noun, node)
  const isTable = (names: readonly unknown[]): boolean => hasTables && names.filter(isForeign).length > 1
  new Visitor({
    BinaryExpression(node) {
      const { left, right, operator } = node
      if (operator === 'in') {
        if (isPlan(right) && (isForeign(textOf(left)) || textOf(left) === 'composite'))
          found(node, 'tests for')
      } else if (operator.endsWith('==')) {
        if (isForeign(textOf(left)) && isName(right)) found(node, 'compares')
        if (isForeign(textOf(right)) && isName(left)) found(node, 'compares')
      }
    },
    SwitchStatement(node) {
      if (isName(node.discriminant) && node.cases.some(({ test }) => isForeign(test && textOf(test)))) {
        found(node, 'switches by')
      }
    },
    ObjectExpression(node) {
      const keys = node.properties.map((property) =>
        property.type === 'Property' ? keyOf(property.key) : undefined,
      )
      if (isTable(keys)) found(node, 'makes a table by')
    },
    ArrayExpression(node) {
      if (isTable(node.elements.map((item) => item && textOf(item)))) found(node, 'lists')
    },
    MemberExpression(node) {
      if (node.computed && isName(node.property)) found(node, 'looks up')
    },
    CallExpression({ callee, arguments: given }) {
      if (callee.type !== 'MemberExpression' || callee.object.type !== 'ArrayExpression') return
      const [argument] = given
      const isListed = callee.object.elements.some((item) => item !== null && isForeign(textOf(item)))
      if (isListed && argument !== undefined && isName(argument)) found(callee, 'lists')
    },
  }).visit(parseSync(file, source).program)
  return uses
}

function textOf(node: Node): string | undefined {
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}

function keyOf(node: Node): string | undefined {
  return node.type === 'Identifier' ? node.name : textOf(node)
}

/** Returns true if an expression is a name: `renderer`, `….renderer`, `renderer.name`, `plan.name`. */
function isNameOf(noun: Kind['noun'], node: Node): boolean {
  if (node.type === 'ChainExpression') return isNameOf(noun, node.expression)
  const last = lastName(node)
  if (last === 'name' && node.type === 'MemberExpression') {
    return (noun === 'renderer' && isPlan(node.object)) || isNameOf(noun, node.object)
  }
  return last?.toLowerCase().endsWith(noun) ?? false
}

function isPlan(node: Node): boolean {
  return /plan$/i.test(lastName(node) ?? '')
}

function lastName(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'ChainExpression') return lastName(node.expression)
  if (node.type !== 'MemberExpression' || node.computed) return undefined
  return node.property.type === 'Identifier' ? node.property.name : undefined
}
