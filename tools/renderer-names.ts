import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Node, parseSync, Visitor } from 'oxc-parser'
import type { Problem } from './problem.ts'

const renderers = 'libs/rendering/src/'

/**
 * Finds code outside a renderer's folder that depends on the renderer's name: comparisons, switches and tables. What only
 * one renderer knows belongs into its plan. Tests may name renderers.
 */
export async function checkRendererNames(root: string, files: readonly string[]): Promise<Problem[]> {
  const folders = await foldersByName(root, files)
  const problems: Problem[] = []
  for (const file of files) {
    if (/(?:\.test|-fixture)\.ts$/.test(file)) continue
    const source = await readFile(path.join(root, file), 'utf8')
    // Parsing every file would take longer than all other checks together.
    if (!/renderer|plan\b/i.test(source)) continue
    const isForeign = (name: unknown): boolean => {
      const folder = typeof name === 'string' ? folders.get(name) : undefined
      return folder !== undefined && !file.startsWith(folder)
    }
    for (const { start, message } of usesOf(file, source, isForeign)) {
      problems.push({ file, line: source.slice(0, start).split('\n').length, message })
    }
  }
  return problems
}

/** The folder of each renderer, by the name in its `…-renderer.ts`. */
async function foldersByName(root: string, files: readonly string[]): Promise<Map<string, string>> {
  const folders = new Map<string, string>()
  for (const file of files) {
    if (!file.startsWith(renderers) || !file.endsWith('-renderer.ts')) continue
    const [, name] = /^ {2}name: '([^']+)'/m.exec(await readFile(path.join(root, file), 'utf8')) ?? []
    if (name !== undefined) folders.set(name, `${path.posix.dirname(file)}/`)
  }
  return folders
}

interface Use {
  readonly start: number
  readonly message: string
}

function usesOf(file: string, source: string, isForeign: (name: unknown) => boolean): Use[] {
  const uses: Use[] = []
  const found = ({ start }: { readonly start: number }, what: string): void => {
    uses.push({ start, message: `${what} a renderer's name outside its directory: put it into the plan` })
  }
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

/** Returns true if an expression is the name of a renderer: `renderer`, `….renderer`, `renderer.name`, `plan.name`. */
function isName(node: Node): boolean {
  if (node.type === 'ChainExpression') return isName(node.expression)
  const last = lastName(node)
  if (last === 'name' && node.type === 'MemberExpression') return isPlan(node.object) || isName(node.object)
  return last !== undefined && /renderer$/i.test(last)
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
