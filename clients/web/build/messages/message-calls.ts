import { parseSync, Visitor } from 'vite'

/** A call of `t` or `t.rich`. */
export interface MessageCall {
  /** The English text; undefined if it is not a literal. */
  message: string | undefined
  /** The place of the text in the source. */
  start: number
  end: number
}

type Program = ReturnType<typeof parseSync>['program']

/** Returns the program of a source file, which may be TypeScript with JSX. */
export function parseSource(file: string, source: string): Program {
  const { program, errors } = parseSync(file, source)
  const [error] = errors
  if (error) throw new Error(`${file}: ${error.message}`)
  return program
}

/** Returns the calls by which a program takes texts from the catalogue, in their order. */
export function messageCalls(program: Program): MessageCall[] {
  const calls: MessageCall[] = []
  new Visitor({
    CallExpression({ callee, arguments: [text] }) {
      const name =
        callee.type === 'MemberExpression' && isNamed(callee.property, 'rich') ? callee.object : callee
      if (!isNamed(name, 't') || !text) return
      const { start, end } = text
      const message = text.type === 'Literal' && typeof text.value === 'string' ? text.value : undefined
      calls.push({ message, start, end })
    },
  }).visit(program)
  return calls
}

function isNamed(node: { type: string }, name: string): boolean {
  return node.type === 'Identifier' && 'name' in node && node.name === name
}
