import { Visitor } from 'vite'
import type { parseSource } from './message-calls.ts'

/** A text that people read and that does not come from the catalogue. */
export interface UntranslatedText {
  text: string
  start: number
}

/** The attributes whose values people read. */
const readAttributes = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'description',
  'error',
  'hideLabel',
  'label',
  'leave',
  'nothingFoundMessage',
  'placeholder',
  'showLabel',
  'text',
  'title',
])
/** The elements whose contents are typed or read by programs. */
const codeElements = new Set(['Code', 'code', 'Kbd', 'kbd', 'pre'])
/** Names of products, and words of programs such as `team=shop` and `HEAD`: the same in every language. */
const names = /\b(?:Wadi|Helm|Kustomize|Git|YAML|JSON)\b|^\s*(?:\S*[-/=:@]\S*|[A-Z]{2,})\s*$/g

/** Returns the literals of JSX that people read, which `t` should translate: contents, attributes, and what conditions choose from. */
export function untranslatedTexts(program: ReturnType<typeof parseSource>): UntranslatedText[] {
  const found: UntranslatedText[] = []
  const add = (text: string, start: number) => {
    if (/\p{L}{2}/u.test(text.replaceAll(names, ''))) found.push({ text: text.trim(), start })
  }
  new Visitor({
    JSXElement({ openingElement: { name }, children }) {
      if (name.type === 'JSXIdentifier' && codeElements.has(name.name)) return
      for (const child of children) {
        if (child.type === 'JSXText') add(child.value, child.start)
        if (child.type === 'JSXExpressionContainer') addLiterals(child.expression, add)
      }
    },
    JSXAttribute({ name, value }) {
      if (name.type !== 'JSXIdentifier' || !readAttributes.has(name.name) || !value) return
      addLiterals(value.type === 'JSXExpressionContainer' ? value.expression : value, add)
    },
    Property({ key, value }) {
      const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? key.value : undefined
      if (typeof name === 'string' && readAttributes.has(name)) addLiterals(value, add)
    },
  }).visit(program)
  return found
}

/** Adds the literals among which an expression chooses. */
function addLiterals(
  expression: { type: string; start: number },
  add: (text: string, start: number) => void,
): void {
  if (isLiteral(expression)) add(expression.value, expression.start)
  if (isTemplate(expression)) for (const { start, value } of expression.quasis) add(value.raw, start)
  for (const part of ['consequent', 'alternate', 'left', 'right'] as const) {
    const chosen = (expression as Partial<Record<typeof part, { type: string; start: number }>>)[part]
    if (chosen && expression.type !== 'BinaryExpression') addLiterals(chosen, add)
  }
}

function isLiteral(node: {
  type: string
  start: number
}): node is { type: 'Literal'; start: number; value: string } {
  return node.type === 'Literal' && 'value' in node && typeof node.value === 'string'
}

function isTemplate(node: {
  type: string
}): node is { type: 'TemplateLiteral'; quasis: { start: number; value: { raw: string } }[] } {
  return node.type === 'TemplateLiteral'
}
